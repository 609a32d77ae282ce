import { type Comparison, type ComparedSide, type Metrics, type Verdict } from '@kiln/contracts';

// Results whose numbers mean nothing: routes pass on what is stored.

export function metricsOf(examples: number): Metrics {
  const latency = { mean: 12.5, p50: 12.5, p90: 12.5, p99: 12.5, max: 12.5 };
  return {
    num_examples: examples,
    num_completions: examples,
    counts: { pass: examples, fail: 0, invalid: 0, error: 0, skipped: 0 },
    accuracy: 1,
    accuracy_confidence_interval: null,
    accuracy_standard_error: { plain: null, clustered: null },
    minimum_detectable_effect: null,
    graded_pass_rate: 1,
    graded_pass_rate_confidence_interval: null,
    error_bounds: null,
    mean_score: 1,
    weighted_mean_score: 1,
    tag_breakdown: {},
    by_scorer: {},
    by_category: {},
    pass_rate_by_tool: {},
    confusion_by_tool: {},
    latency_ms: latency,
    total_prompt_tokens: 5,
    total_cached_tokens: 0,
    total_completion_tokens: 3,
    reasoning: { num_with_thinking: 0, mean: 0, p50: 0, p90: 0, max: 0 },
    num_unclosed_thinking: 0,
    num_non_xml_tool_calls: 0,
    num_schema_missing_required: 0,
    num_schema_extra_unknown: 0,
    coverage: { complete_examples: examples, total_examples: examples, fraction: 1 },
    cost_usd: '0',
    known_cost_usd: '0',
    priced_fraction: 1,
  };
}

function side(index: number, adapter: string | null): ComparedSide {
  return {
    run_index: index,
    name: `run ${index}`,
    adapter,
    accuracy: 1,
    accuracy_confidence_interval: null,
    graded_pass_rate: 1,
    graded_pass_rate_confidence_interval: null,
    mean_score: 1,
    num_error: 0,
  };
}

export const COMPARISON: Comparison = {
  baseline: side(0, null),
  candidate: side(1, 'good'),
  pairs: { paired_examples: 1, improved: 0, regressed: 0, tied: 1, baseline_passes: 1, candidate_passes: 1 },
  unpaired_examples: 0,
  both_pass: 1,
  both_fail: 0,
  num_improved: 0,
  num_regressed: 0,
  improved: [],
  regressed: [],
  mean_score_delta: 0,
  mean_score_delta_standard_error: null,
  mean_score_delta_confidence_interval: null,
  mean_score_delta_clustered: null,
  minimum_detectable_effect: null,
  agreement: { rate: 1, cohen_kappa: null },
  sign_test: { improved: 0, regressed: 0, p_value: 1, alpha: 0.05, significant: false },
  permutation_test: null,
  adjusted_p: { comparisons: 1, sign_test: { holm: 1, benjamini_hochberg: 1 }, permutation_test: null },
};

export const VERDICT: Verdict = {
  policy_version: 'paired_wilson_v1',
  baseline_run_index: 0,
  candidate_run_index: 1,
  outcome: 'inconclusive',
  reason: 'fewer than 20 pairs',
  evidence: null,
  error_bounds: null,
  input_digest: 'sha256:0',
};
