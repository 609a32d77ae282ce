import type { Comparison, Job, Metrics, RunView, Spend, Verdict } from '@kiln/contracts';

const DIGEST = `sha256:${'0'.repeat(64)}`;
const COVERAGE = { complete_examples: 200, total_examples: 200, fraction: 1 };
const NO_LATENCY = { mean: 0, p50: 0, p90: 0, p99: 0, max: 0 };
const SPEND: Spend = { usd: '0', known_usd: '0', tokens: 9312, reserved_usd: '0', reserved_tokens: 0, excess_usd: '0' };
const AT = '2027-01-01T10:00:00.000Z';

function metrics(pass: number, lower: number, upper: number): Metrics {
  const interval = { lower, upper, confidence_level: 0.95 };
  return {
    num_examples: 200,
    num_completions: 200,
    counts: { pass, fail: 198 - pass, invalid: 1, error: 1, skipped: 0 },
    accuracy: pass / 200,
    accuracy_confidence_interval: interval,
    graded_pass_rate: pass / 199,
    graded_pass_rate_confidence_interval: interval,
    error_bounds: { accuracy_if_errors_fail: pass / 200, accuracy_if_errors_pass: (pass + 1) / 200 },
    mean_score: pass / 200,
    weighted_mean_score: pass / 200,
    tag_breakdown: {},
    by_scorer: {},
    pass_rate_by_tool: {},
    confusion_by_tool: {},
    latency_ms: NO_LATENCY,
    total_prompt_tokens: 8312,
    total_cached_tokens: 0,
    total_completion_tokens: 1000,
    reasoning: { num_with_thinking: 0, mean: 0, p50: 0, p90: 0, max: 0 },
    num_unclosed_thinking: 0,
    num_non_xml_tool_calls: 0,
    num_schema_missing_required: 0,
    num_schema_extra_unknown: 0,
    coverage: COVERAGE,
    cost_usd: '0',
    known_cost_usd: '0',
    priced_fraction: 1,
  };
}

function run(index: number, adapter: string | null, measured: Metrics): RunView {
  return {
    index,
    name: adapter ?? 'base',
    suite_name: 'arithmetic-200',
    target: {
      kind: 'model',
      engine: 'onnx',
      model: 'tiny-arith',
      adapter,
      model_digest: DIGEST,
      adapter_digest: adapter === null ? null : DIGEST,
      tokenizer_digest: DIGEST,
      template_digest: DIGEST,
      pricing: { kind: 'free' },
    },
    target_hash: DIGEST,
    adapter,
    aggregation: { kind: 'single' },
    metrics: measured,
    samples_completed: 200,
    samples_total: 200,
    coverage: COVERAGE,
    spend: SPEND,
    suite_hash: DIGEST,
    effective_generation_hash: DIGEST,
    started_at: AT,
    finished_at: '2027-01-01T10:00:12.300Z',
  };
}

const COUNTS = { paired_examples: 200, improved: 64, regressed: 6, tied: 130, baseline_passes: 72, candidate_passes: 130 };

const VERDICT: Verdict = {
  policy_version: 'paired_wilson_v1',
  baseline_run_index: 0,
  candidate_run_index: 1,
  outcome: 'kept',
  reason: 'more pairs improved than regressed, and the sign test is significant',
  evidence: {
    policy_version: 'paired_wilson_v1',
    suite_policy: 'single_versioned_suite',
    eval_job_id: 'job-1',
    suite_name: 'arithmetic-200',
    suite_hash: DIGEST,
    effective_generation_hash: DIGEST,
    baseline_adapter: null,
    candidate_adapter: 'math-v2',
    aggregation: 'single',
    minimum_paired_examples: 20,
    paired_examples: 200,
    improved: 64,
    regressed: 6,
    tied: 130,
    exact_sign_test_p_value: 2.4e-13,
    exact_sign_test_alpha: 0.05,
    baseline_accuracy: 0.36,
    baseline_accuracy_lower_bound: 0.297,
    baseline_accuracy_upper_bound: 0.429,
    candidate_accuracy: 0.65,
    candidate_accuracy_lower_bound: 0.582,
    candidate_accuracy_upper_bound: 0.713,
    accuracy_confidence_level: 0.95,
    minimum_accuracy: 0.25,
    required_relative_recovery: null,
    observed_relative_recovery_lower_bound: 1.36,
    required_absolute_gain: 0.1,
    observed_absolute_gain_lower_bound: 0.153,
    outcome: 'kept',
  },
  error_bounds: {
    policy_version: 'error_bounds_v1',
    actual: { outcome: 'kept', counts: COUNTS },
    worst: { outcome: 'kept', counts: COUNTS },
    best: { outcome: 'kept', counts: COUNTS },
    agree: true,
  },
  input_digest: DIGEST,
};

/** A finished comparison of the base model with one adapter. */
export const JOB: Job = {
  id: 'job-1',
  kind: 'compare',
  submission_kind: 'compare',
  state: 'completed',
  stop_reason: null,
  error: null,
  origin: { actor: 'alone mode', source: 'rest' },
  labels: { git_sha: '4f0c2d1' },
  suite: { name: 'arithmetic-200', hash: DIGEST, schema_version: 2, num_examples: 200 },
  effective_seed: '42',
  generation: null,
  aggregation: { kind: 'single' },
  gate: { policy: 'paired_wilson_v1', min_accuracy: 0.25, min_absolute_gain: 0.1 },
  progress: {
    examples_completed: 400,
    examples_total: 400,
    samples_completed: 400,
    samples_total: 400,
    running_accuracy: 0.5,
    running_mean_score: 0.5,
  },
  cost_cap: null,
  token_cap: null,
  concurrency: null,
  spend: { ...SPEND, tokens: 18_624 },
  runs: [run(0, null, metrics(72, 0.297, 0.429)), run(1, 'math-v2', metrics(130, 0.582, 0.713))],
  verdicts: [VERDICT],
  created_at: AT,
  started_at: AT,
  finished_at: '2027-01-01T10:00:24.600Z',
  links: { self: '/x', outcomes: '/x', aggregated_outcomes: '/x', comparison: '/x', export: '/x', events: '/x' },
};

const SIDE = {
  accuracy_confidence_interval: null,
  graded_pass_rate: null,
  graded_pass_rate_confidence_interval: null,
  mean_score: null,
  num_error: 0,
};

export const COMPARISON: Comparison = {
  baseline: { ...SIDE, run_index: 0, name: 'base', adapter: null, accuracy: 0.36 },
  candidate: { ...SIDE, run_index: 1, name: 'math-v2', adapter: 'math-v2', accuracy: 0.65 },
  pairs: COUNTS,
  unpaired_examples: 0,
  both_pass: 66,
  both_fail: 64,
  num_improved: 64,
  num_regressed: 6,
  improved: ['sub-001', 'sub-002'],
  regressed: ['add-009'],
  mean_score_delta: 0.29,
  mean_score_delta_standard_error: 0.036,
  mean_score_delta_confidence_interval: { lower: 0.219, upper: 0.361, confidence_level: 0.95 },
  sign_test: { improved: 64, regressed: 6, p_value: 2.4e-13, alpha: 0.05, significant: true },
  permutation_test: { p_value: 0.00001, method: 'sampled', moved: 70, mean_delta: 0.29, verdict: 'improved' },
};
