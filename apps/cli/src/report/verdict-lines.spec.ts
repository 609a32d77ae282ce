import type { GateCheck, HillclimbVerdict, ObjectiveGatesVerdict, SplitComparison } from '@kiln/contracts';
import { HillclimbVerdict as HillclimbSchema, ObjectiveGatesVerdict as ObjectiveSchema } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { PLAIN } from '../terminal/style.js';
import { verdictLines } from './verdict-lines.js';

const GATES: GateCheck[] = [
  { gate: 'rejected_rate', baseline: 0.01, candidate: 0.02, delta: 1, threshold: 2, unit: 'pp', passed: true },
  { gate: 'mean_rounds', baseline: 2, candidate: 2.7, delta: 35, threshold: 20, unit: '%', passed: false },
  { gate: 'mean_cost_per_task', baseline: 0.012, candidate: null, delta: null, threshold: 25, unit: '%', passed: null },
];
const JUDGED = { judged: 45, wins: 28, losses: 10, ties: 7, win_rate: 28 / 45 };
const COMPLETENESS = { ok_samples: 88, expected_samples: 90, ratio: 88 / 90, conclusive: true, pairs: 45, pairs_judged: 45 };
const METRICS = {
  adapter: null,
  ok_samples: 44,
  error_samples: 1,
  tasks: 15,
  tool_calls: { ok: 99, rejected: 1, failed: 0, denied: 0, cached: 0, suppressed: 0 },
  rejected_rate: 0.01,
  mean_rounds: 2,
  mean_cost_per_task_usd: 0.012,
  mean_latency_ms: 100,
  wrapup_count: 0,
};
const READING = {
  decision: 'downgrade' as const,
  outcome: 'regression' as const,
  completeness: COMPLETENESS,
  gates: GATES,
  judged: JUDGED,
};
const CATEGORY = { ...JUDGED, rejected_rate_delta_pp: 0, mean_rounds_delta_pct: 0, mean_cost_per_task_delta_pct: null };

const OBJECTIVE: ObjectiveGatesVerdict = {
  policy_version: 'objective_gates_v1',
  baseline_run_index: 0,
  candidate_run_index: 1,
  outcome: 'regression',
  reason: 'mean rounds regressed +35.0% against a +20.0% threshold',
  evidence: {
    policy_version: 'objective_gates_v1',
    eval_job_id: 'job-1',
    suite_name: 's',
    suite_hash: 'h',
    ...READING,
    completeness_floor: 0.8,
    win_threshold: 0.55,
    baseline: { run_index: 0, ...METRICS },
    candidate: { run_index: 1, ...METRICS },
    categories: [
      { category: 'chat', ...CATEGORY, regressed: false },
      {
        category: 'tool_heavy',
        ...CATEGORY,
        judged: 0,
        wins: 0,
        losses: 0,
        ties: 0,
        win_rate: null,
        mean_rounds_delta_pct: 40,
        regressed: true,
      },
    ],
    divergence: null,
  },
  error_bounds: {
    policy_version: 'error_bounds_v1',
    actual: READING,
    worst: READING,
    best: READING,
    agree: true,
    errors: { baseline: { samples: 1, examples: 1 }, candidate: { samples: 1, examples: 1 } },
    errors_that_could_change_it: 0,
  },
  input_digest: 'sha256:0',
};

const SPLIT: SplitComparison = {
  cases: 20,
  changed: 6,
  baseline: { passes: 12, graded: 20, rate: 0.6, interval: { lower: 0.387, upper: 0.781, confidence_level: 0.95 } },
  candidate: { passes: 18, graded: 20, rate: 0.9, interval: { lower: 0.699, upper: 0.972, confidence_level: 0.95 } },
  mean_delta: 0.3,
  p_value: 0.03125,
  verdict: 'improved',
};
const NONE: SplitComparison = { ...SPLIT, cases: 0, changed: 0, mean_delta: null, p_value: null, verdict: 'n/a' };
const SIDE = {
  adapter: null,
  provider: 'onnx',
  project: 'p',
  workflow: 's',
  suite_hash: 'h',
  case_set_hash: 'c',
  split_filter: null,
  cases: 20,
  reps: 1,
  definition_hashes: ['a'],
  errors: 0,
  mean_duration_ms: 320.4,
  cost_usd: '0.1',
  total_tokens: 900,
};
const reading = (rule: 'errors' | 'all_improved') => ({
  decision: rule === 'errors' ? ('revert' as const) : ('keep' as const),
  rule,
  outcome: rule === 'errors' ? ('inconclusive' as const) : ('kept' as const),
  overall: SPLIT,
  train: NONE,
  test: SPLIT,
});
const HILLCLIMB: HillclimbVerdict = {
  policy_version: 'hillclimb_v1',
  baseline_run_index: 0,
  candidate_run_index: 1,
  outcome: 'inconclusive',
  reason: '2 samples errored (0 before, 2 after), which is no measurement; 2 errors could change this',
  evidence: {
    policy_version: 'hillclimb_v1',
    eval_job_id: 'job-1',
    ...reading('errors'),
    alpha: 0.05,
    baseline: { run_index: 0, ...SIDE },
    candidate: { run_index: 1, ...SIDE, cost_usd: null, errors: 2 },
    warnings: [{ code: 'ERRORS', side: 'candidate', message: '2 samples errored: fix the infrastructure before reading a rate' }],
  },
  error_bounds: {
    policy_version: 'error_bounds_v1',
    actual: reading('errors'),
    worst: reading('all_improved'),
    best: reading('all_improved'),
    agree: false,
    errors: { baseline: { samples: 0, examples: 0 }, candidate: { samples: 2, examples: 1 } },
    errors_that_could_change_it: 2,
  },
  input_digest: 'sha256:0',
};

describe('verdictLines', () => {
  it('has samples that the contract accepts', () => {
    expect(ObjectiveSchema.parse(OBJECTIVE)).toEqual(OBJECTIVE);
    expect(HillclimbSchema.parse(HILLCLIMB)).toEqual(HILLCLIMB);
  });

  it('shows the gate table, completeness, votes and categories of objective gates', () => {
    expect(`\n${verdictLines(OBJECTIVE, PLAIN).join('\n')}\n`).toMatchInlineSnapshot(`
      "
      REGRESSION by objective_gates_v1
      downgrade: mean rounds regressed +35.0% against a +20.0% threshold
      gate                baseline  candidate   delta  at most
      rejected_rate           1.0%       2.0%  +1.0pp   +2.0pp  pass
      mean_rounds             2.00       2.70  +35.0%   +20.0%  FAIL
      mean_cost_per_task    $0.012    unknown       –   +25.0%  unknown
      88 of 90 samples ran (97.8%, at least 80.0%); 45 of 45 pairs judged
      28 won, 10 lost, 7 tied, win-rate 62.2% (at least 55.0%)
      chat: rejected 0.0pp, rounds 0.0%, cost –, 28 won, 10 lost, 7 tied
      tool_heavy: rejected 0.0pp, rounds +40.0%, cost –, regressed
      errors could not change it (worst case regression, best case regression)
      "
    `);
  });

  it('shows the splits, the use and the warnings of a hillclimb', () => {
    expect(`\n${verdictLines(HILLCLIMB, PLAIN).join('\n')}\n`).toMatchInlineSnapshot(`
      "
      INCONCLUSIVE by hillclimb_v1
      revert: 2 samples errored (0 before, 2 after), which is no measurement; 2 errors could change this
      overall  60.0% [38.7%, 78.1%] → 90.0% [69.9%, 97.2%]  +30.0 pts  improved  (6/20 cases changed, p=0.031)
      test     60.0% [38.7%, 78.1%] → 90.0% [69.9%, 97.2%]  +30.0 pts  improved  (6/20 cases changed, p=0.031)
      cost     $0.1 → unknown  duration 320 ms → 320 ms  tokens 900 → 900
      ERRORS (candidate): 2 samples errored: fix the infrastructure before reading a rate
      2 errors could change it (baseline 0, candidate 2): as measured inconclusive, worst case kept, best case kept, so it is inconclusive
      "
    `);
  });

  it('lets no category or provider move the cursor', () => {
    const evil = '\u001b[2J\r';
    const { evidence } = OBJECTIVE;
    if (evidence === null || HILLCLIMB.evidence === null) throw new Error('the samples have evidence');
    const objective = {
      ...OBJECTIVE,
      evidence: { ...evidence, categories: evidence.categories.map((row) => ({ ...row, category: evil })) },
    };
    const hillclimb = {
      ...HILLCLIMB,
      reason: evil,
      evidence: { ...HILLCLIMB.evidence, warnings: [{ code: 'PROVIDER' as const, side: null, message: evil }] },
    };
    for (const verdict of [objective, hillclimb]) expect(verdictLines(verdict, PLAIN).join('')).not.toMatch(/[\u0000-\u001f]/);
  });
});
