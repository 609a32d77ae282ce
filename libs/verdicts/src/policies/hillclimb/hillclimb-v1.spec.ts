import { HillclimbEvidence, type OutcomeKind } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { type ComparedExample } from '../../compared-example.js';
import { accumulate, example, outcome, sample, side, times, tuned } from '../../verdict-inputs.fixture.js';
import { type HillclimbInput, hillclimbV1 } from './hillclimb-v1.js';

type Change = readonly [before: readonly OutcomeKind[], after: readonly OutcomeKind[]];
const UP: Change = [['fail'], ['pass']];
const DOWN: Change = [['pass'], ['fail']];
const SAME: Change = [['pass'], ['pass']];
const WRONG: Change = [['fail'], ['invalid']];

const many = (count: number, change: Change, split: string | null = 'test'): ComparedExample[] =>
  times(count, () => example(0, { split, baseline: outcome(...change[0]), candidate: outcome(...change[1]) }));

function inputOf(examples: readonly ComparedExample[], changes: Partial<HillclimbInput> = {}): HillclimbInput {
  const totals = accumulate(
    examples.map((each, ordinal) => ({ ...each, ordinal, example_id: `e${ordinal}` })),
    'hillclimb_v1',
  ).hillclimb;
  if (totals === null) throw new Error('accumulated for another policy');
  return { eval_job_id: 'job-1', job_state: 'completed', baseline: side, candidate: tuned, totals, ...changes };
}

function decide(examples: readonly ComparedExample[], changes: Partial<HillclimbInput> = {}) {
  const { outcome: gate, reason, evidence } = hillclimbV1(inputOf(examples, changes));
  if (evidence === null) throw new Error(reason);
  return { gate, reason, evidence: HillclimbEvidence.parse(evidence), warnings: evidence.warnings.map(({ code }) => code) };
}

describe('hillclimbV1 decides', () => {
  it.each<[string, ComparedExample[], string, string, string]>([
    ['2: an error on a side', [...many(20, UP), ...many(1, [['pass'], ['error']])], 'errors', 'revert', 'inconclusive'],
    ['3: test regressed', [...many(20, UP, 'train'), ...many(6, DOWN)], 'split_regressed', 'revert', 'regression'],
    ['3: train regressed', [...many(6, DOWN, 'train'), ...many(20, UP)], 'split_regressed', 'revert', 'regression'],
    ['4: pooled within noise', [...many(3, UP, 'train'), ...many(2, UP)], 'overall_not_improved', 'revert', 'inconclusive'],
    ['4: pooled regressed, no split alone', [...many(4, DOWN, 'train'), ...many(4, DOWN)], 'overall_regressed', 'revert', 'regression'],
    ['4: no example at all', [], 'overall_not_improved', 'revert', 'inconclusive'],
    ['5: nothing held out', many(8, UP, 'train'), 'nothing_held_out', 'revert', 'inconclusive'],
    ['6: no train split', many(8, UP), 'test_improved_without_train_split', 'keep', 'kept'],
    ['6: examples without a split are held out', many(8, UP, null), 'test_improved_without_train_split', 'keep', 'kept'],
    ['7: overfitting', [...many(8, UP, 'train'), ...many(8, SAME)], 'test_flat', 'revert', 'inconclusive'],
    ['7: test fell a little', [...many(20, UP, 'train'), ...many(2, DOWN)], 'test_flat', 'revert', 'inconclusive'],
    ['8: train did not move', [...many(8, SAME, 'train'), ...many(8, UP)], 'train_flat', 'revert', 'inconclusive'],
    ['9: all moved up', [...many(4, UP, 'train'), ...many(4, UP, 'holdout')], 'all_improved', 'keep', 'kept'],
  ])('%s', (_name, examples, rule, decision, gate) => {
    expect(decide(examples)).toMatchObject({ gate, evidence: { rule, decision, outcome: gate } });
  });

  it('a run with itself: within noise, so it reverts', () => {
    const { evidence, reason } = decide([...many(10, SAME), ...many(10, WRONG)], { candidate: { ...side, run_index: 1 } });
    expect(evidence).toMatchObject({ decision: 'revert', overall: { verdict: 'within-noise', p_value: 1, changed: 0 } });
    expect(reason).toBe('overall is within-noise +0.0 pts (p=1.000)');
  });

  const good = [...many(8, UP, 'train'), ...many(8, UP)];
  it.each<[string, Partial<HillclimbInput>, string]>([
    ['a capped job', { job_state: 'capped' }, 'the job is capped'],
    ['another suite', { candidate: { ...tuned, suite_name: 'b' } }, 'different suites'],
    ['another version of the suite', { candidate: { ...tuned, suite_hash: 'b' } }, 'different versions of the suite'],
    ['another project', { candidate: { ...tuned, project: 'q' } }, 'different projects'],
    ['other repetitions', { candidate: { ...tuned, reps: 3 } }, '1 and 3 completions'],
  ])('1: not comparable: %s', (_name, changes, reason) => {
    const decided = decide(good, changes);
    expect(decided).toMatchObject({ gate: 'error', evidence: { decision: 'not_comparable' } });
    expect(decided.reason).toContain(reason);
  });

  it('1: not comparable: a side completed fewer examples, or other splits', () => {
    const missing = example(99, { split: 'test', baseline: outcome('pass'), candidate: null });
    expect(decide([...good, missing]).reason).toBe('the sides did not complete the same examples');
  });

  it('needs both runs', () => {
    expect(hillclimbV1(inputOf(good, { baseline: null }))).toMatchObject({ outcome: 'error', evidence: null });
    expect(hillclimbV1(inputOf(good, { candidate: null }))).toMatchObject({ outcome: 'error', evidence: null });
  });
});

describe('hillclimbV1 tests pass rates', () => {
  // contracts §5.4
  it.each<[string, ComparedExample[], number, string]>([
    ['6 of 8 up', [...many(6, UP), ...many(2, SAME)], 2 / 64, 'improved'],
    ['8 up, 2 down', [...many(8, UP), ...many(2, DOWN)], 112 / 1024, 'within-noise'],
    ['5 up never suffice', many(5, UP), 2 / 32, 'within-noise'],
    ['6 down', many(6, DOWN), 2 / 64, 'regressed'],
    [
      '3 examples of 3 completions: completions add no evidence',
      many(3, [times(3, () => 'fail'), times(3, () => 'pass')]),
      0.25,
      'within-noise',
    ],
  ])('%s', (_name, examples, p, verdict) => {
    expect(decide(examples).evidence.overall).toMatchObject({ p_value: p, verdict });
  });

  it('22 up of 30, by draws', () => {
    const { p_value } = decide([...many(22, UP), ...many(8, DOWN)]).evidence.overall;
    expect(p_value).toBeGreaterThan(0.012);
    expect(p_value).toBeLessThan(0.021);
  });

  it('averages completions inside the example, without errors and skips', () => {
    const after: OutcomeKind[] = ['pass', 'error', 'skipped', 'fail'];
    const { evidence } = decide(many(4, [times(4, () => 'fail'), after]));
    expect(evidence.overall).toMatchObject({
      cases: 4,
      mean_delta: 0.5,
      baseline: { passes: 0, graded: 16, rate: 0 },
      candidate: { passes: 4, graded: 8, rate: 0.5 },
    });
    expect(evidence.candidate.errors).toBe(4);
  });

  it('leaves out what was skipped, or of which nothing was graded', () => {
    const { evidence } = decide([...many(3, [['pass'], ['skipped']]), ...many(2, [['error'], ['pass']]), ...many(6, UP)]);
    expect(evidence.overall).toMatchObject({ cases: 6, candidate: { graded: 6 } });
    expect(evidence.train).toMatchObject({
      cases: 0,
      mean_delta: null,
      p_value: null,
      verdict: 'n/a',
      baseline: { rate: null, interval: null },
    });
  });

  it('says what each side used; one unpriced sample makes the cost unknown', () => {
    const used = (cost: bigint | null, tokens: number | null) =>
      example(0, {
        baseline: outcome('pass'),
        candidate: outcome('pass'),
        baseline_samples: [sample('pass', { cost: 250_000_000n, tokens: 7, latency_ms: 20 })],
        candidate_samples: [sample('pass', { cost, tokens, latency_ms: 40 })],
      });
    const { evidence } = decide([used(0n, 5), used(null, null)]);
    expect(evidence.baseline).toMatchObject({ cost_usd: '0.5', total_tokens: 14, mean_duration_ms: 20 });
    expect(evidence.candidate).toMatchObject({ cost_usd: null, total_tokens: null, mean_duration_ms: 40 });
    expect(decide([used(0n, 5)]).evidence.candidate).toMatchObject({ cost_usd: '0', total_tokens: 5 });
  });
});

describe('hillclimbV1 warns', () => {
  it('of too little headroom, only above 95 %', () => {
    expect(decide(many(20, SAME)).warnings).toContain('HEADROOM');
    expect(decide([...many(19, SAME), ...many(1, WRONG)]).warnings).not.toContain('HEADROOM');
    expect(decide([...many(19, SAME, 'train'), ...many(1, WRONG)]).warnings).not.toContain('HEADROOM');
  });

  it('of intervals wider than 20 points', () => {
    // Wilson for 50 of 100 is 19.2 points wide, for 40 of 80 it is 21.4.
    expect(decide([...many(50, SAME), ...many(50, WRONG)]).warnings).not.toContain('NOISE');
    expect(decide([...many(40, SAME), ...many(40, WRONG)]).warnings).toContain('NOISE');
  });

  it('of fewer than six examples, and of fewer than six that changed', () => {
    expect(decide(many(5, UP)).warnings).toEqual(expect.arrayContaining(['POWER', 'FEW_CHANGED']));
    expect(decide([...many(5, UP), ...many(1, SAME)]).warnings).not.toContain('POWER');
    expect(decide([...many(6, UP)]).warnings).not.toContain('FEW_CHANGED');
    expect(decide([]).warnings).not.toContain('POWER');
  });

  it('of errors on their side, of a missing train split, one target on both sides, another provider', () => {
    const failed = decide([...many(6, UP), ...many(2, [['pass'], ['error']])]).evidence.warnings;
    expect(failed.find(({ code }) => code === 'ERRORS')).toMatchObject({
      side: 'candidate',
      message: expect.stringContaining('2 samples'),
    });
    expect(decide(many(6, UP)).warnings).toContain('NO_TRAIN_SPLIT');
    expect(decide([...many(6, UP), ...many(6, UP, 'train')]).warnings).not.toContain('NO_TRAIN_SPLIT');
    expect(decide(many(6, UP)).warnings).not.toContain('SAME_DEFINITION');
    expect(decide(many(6, UP), { candidate: { ...side, run_index: 1 } }).warnings).toContain('SAME_DEFINITION');
    expect(decide(many(6, UP), { candidate: { ...tuned, provider: 'https://x' } }).warnings).toContain('PROVIDER');
  });

  it('once of what both sides share', () => {
    const { evidence } = decide(many(3, SAME));
    expect(evidence.warnings.filter(({ code }) => code === 'POWER')).toEqual([{ code: 'POWER', side: null, message: expect.any(String) }]);
  });
});
