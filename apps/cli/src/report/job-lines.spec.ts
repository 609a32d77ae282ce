import { Comparison, Job, parseWith } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { PLAIN } from '../terminal/style.js';
import { jobLines } from './job-lines.js';
import { COMPARISON, JOB } from './sample-report.fixture.js';

describe('jobLines', () => {
  it('has samples that the contract accepts', () => {
    expect(() => parseWith(Job, JOB, 'job')).not.toThrow();
    expect(() => parseWith(Comparison, COMPARISON, 'comparison')).not.toThrow();
  });

  it('shows both rates with intervals, both tests, the verdict with its evidence, the flips and the cost', () => {
    const flips = new Map([
      [1, [{ direction: 'improved' as const, exampleId: 'sub-001', prompt: '351 - 14?', target: '337', before: '347', after: '337' }]],
    ]);
    expect(`\n${jobLines({ job: JOB, comparisons: [COMPARISON], flips }, PLAIN).join('\n')}\n`).toMatchInlineSnapshot(`
      "
      arithmetic-200 · 200 examples · single · seed 42 · job job-1
      completed · in 24.6 s · git_sha=4f0c2d1

        target   accuracy  95 %          graded  95 %          pass  fail  invalid  error  tokens  cost    time
        base        36.0%  [29.7, 42.9]   36.2%  [29.7, 42.9]    72   126        1      1   9,312    $0  12.3 s
        math-v2     65.0%  [58.2, 71.3]   65.3%  [58.2, 71.3]   130    68        1      1   9,312    $0  12.3 s
        accuracy = passes of all examples; graded = passes of those that were graded (no errors, no skips)

      math-v2 against base
        accuracy     36.0% → 65.0% on 200 pairs
        mean score   +29.0 points [21.9, 36.1]; detectable from 10.1 points
        sign test    64 up, 6 down, p = 2.4e-13, significant
        permutation  improved, p = 1.0e-5 (70 moved, sampled)
        gate         KEPT by paired_wilson_v1: more pairs improved than regressed, and the sign test is significant
                     200 pairs (at least 20 needed): 64 improved, 6 regressed, 130 tied; sign test p = 2.4e-13 (alpha 0.05)
                     candidate 65.0% [58.2, 71.3], baseline 36.0% [29.7, 42.9], floor 25.0%
                     recovery at least 1.36 of the baseline (not required), gain at least +15.3 points (required +10.0)
                     errors could not change it (worst case kept, best case kept)
        flips        64 to pass, 6 away from pass; 66 pass on both sides, 64 on neither
                     + sub-001: “351 - 14?”, wanted “337”: base “347”, math-v2 “337”

      cost $0 · 18,624 tokens · 24.6 s
      "
    `);
  });

  it('has a column for skipped examples only where there are any', () => {
    const [first, ...others] = JOB.runs;
    const counts = { ...first!.metrics!.counts, skipped: 7 };
    const skips: Job = { ...JOB, runs: [{ ...first!, metrics: { ...first!.metrics!, counts } }, ...others] };
    expect(jobLines({ job: skips, comparisons: [] }, PLAIN).join('\n')).toMatch(/error  skipped  tokens.*\n +base .* 1 +7 +9,312/);
    expect(jobLines({ job: JOB, comparisons: [] }, PLAIN).join('\n')).not.toContain('skipped');
  });

  it('names the examples that flipped where their texts are not at hand', () => {
    const text = jobLines({ job: JOB, comparisons: [COMPARISON] }, PLAIN).join('\n');
    expect(text).toContain('+ sub-001, sub-002');
    expect(text).toContain('− add-009');
  });

  it('lets no text of a model or a suite move the cursor', () => {
    const evil = '\u001b[2Jgone\r';
    const job: Job = {
      ...JOB,
      suite: { ...JOB.suite, name: evil },
      labels: { [evil]: evil },
      runs: JOB.runs.map((run) => ({ ...run, name: evil })),
    };
    const comparison: Comparison = { ...COMPARISON, candidate: { ...COMPARISON.candidate, name: evil }, improved: [evil] };
    const flips = new Map([
      [1, [{ direction: 'regressed' as const, exampleId: evil, prompt: evil, target: evil, before: evil, after: evil }]],
    ]);
    for (const report of [
      { job, comparisons: [comparison] },
      { job, comparisons: [comparison], flips },
    ]) {
      expect(jobLines(report, PLAIN).join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    }
  });

  it('says why a stopped job stopped, and what is complete', () => {
    const [baseline] = JOB.runs;
    if (!baseline) throw new Error('the sample has runs');
    const job: Job = {
      ...JOB,
      state: 'capped',
      stop_reason: 'cost_cap',
      cost_cap: '0.5',
      verdicts: [],
      runs: [{ ...baseline, coverage: { complete_examples: 12, total_examples: 200, fraction: 0.06 } }],
    };
    const text = jobLines({ job, comparisons: [] }, PLAIN).join('\n');
    expect(text).toContain('capped · stopped by cost_cap');
    expect(text).toContain('base: 12 of 200 examples are complete');
    expect(text).toContain('cap $0.5');
  });
});
