import { type Comparison, type Job } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { type Ungraded } from '../client/read-ungraded.js';
import { footnoteLines } from './footnote-lines.js';
import { COMPARISON, JOB } from './sample-report.fixture.js';

const UNGRADED: Ungraded = { runName: 'base', kind: 'error', reason: 'judge_unavailable: away', samples: 2, firstExampleId: 'add-001' };
const spend = (tokens: number): Job => ({ ...JOB, spend: { ...JOB.spend, tokens } });

describe('footnoteLines', () => {
  it('says nothing where all was graded and the job paid for its own answers', () => {
    expect(footnoteLines({ job: JOB, comparisons: [COMPARISON] }, [])).toEqual([]);
  });

  it('says why answers were not graded, and lets no reason move the cursor', () => {
    const lines = footnoteLines({ job: JOB, comparisons: [] }, [UNGRADED, { ...UNGRADED, reason: '\u001b[2J', samples: 1 }]);
    expect(lines).toEqual([
      'error: judge_unavailable: away (base, 2 samples, first add-001)',
      'error: \\x1b[2J (base, 1 sample, first add-001)',
    ]);
  });

  it('counts the reasons that it does not show', () => {
    const lines = footnoteLines(
      { job: JOB, comparisons: [] },
      Array.from({ length: 9 }, () => UNGRADED),
    );
    expect(lines.at(-1)).toBe('3 more reasons: kiln eval outcomes lists every answer');
  });

  it('names runs whose model judged itself', () => {
    const [first, ...others] = JOB.runs;
    const job: Job = { ...JOB, runs: [{ ...first!, judges: [first!.target] }, ...others] };
    expect(footnoteLines({ job, comparisons: [] }, [])).toEqual([
      'judge: base was judged by the model that answered; --judge names another one',
    ]);
  });

  it('says how often two scorers of the same answers agree, and only of a rescore', () => {
    const comparison: Comparison = { ...COMPARISON, agreement: { rate: 0.65, cohen_kappa: 0.3333 } };
    expect(footnoteLines({ job: { ...JOB, kind: 'rescore' }, comparisons: [comparison] }, [])).toEqual([
      'agreement: math-v2 with base on 65.0% of the examples, Cohen’s kappa 0.33',
    ]);
    expect(footnoteLines({ job: JOB, comparisons: [comparison] }, [])).toEqual([]);
  });

  it('tells what the job used from what its answers took, once it is finished', () => {
    expect(footnoteLines({ job: spend(0), comparisons: [] }, [])[0]).toMatch(/^tokens, cost: the table has those of the answers/);
    expect(footnoteLines({ job: { ...spend(0), finished_at: null }, comparisons: [] }, [])).toEqual([]);
  });
});
