import { z } from 'zod';
import { Fraction } from '../scalars/fraction.js';
import { Interval } from './interval.js';

const Count = z.int().min(0);

/** Reduced outcomes by kind. */
export const OutcomeCounts = z
  .object({ pass: Count, fail: Count, invalid: Count, error: Count, skipped: Count })
  .meta({ id: 'OutcomeCounts' });
export type OutcomeCounts = z.infer<typeof OutcomeCounts>;

/** Rates of a part of the examples: a tag, a scorer, a tool. */
export const MetricSlice = z
  .object({
    num_examples: Count,
    counts: OutcomeCounts,
    accuracy: Fraction.nullable(),
    accuracy_confidence_interval: Interval.nullable(),
    graded_pass_rate: Fraction.nullable(),
    mean_score: Fraction.nullable(),
  })
  .meta({ id: 'MetricSlice' });
export type MetricSlice = z.infer<typeof MetricSlice>;

/** A distribution over raw outcomes; all zero when there is none. Quantile q is the value at index round(q·(n−1)). */
export const LatencySummary = z
  .object({ mean: z.number(), p50: z.number(), p90: z.number(), p99: z.number(), max: z.number() })
  .meta({ id: 'LatencySummary', description: 'Milliseconds.' });
export type LatencySummary = z.infer<typeof LatencySummary>;

export const ReasoningSummary = z
  .object({ num_with_thinking: Count, mean: z.number(), p50: z.number(), p90: z.number(), max: z.number() })
  .meta({ id: 'ReasoningSummary', description: 'Length of reasoning in characters, over the outcomes that have any.' });
export type ReasoningSummary = z.infer<typeof ReasoningSummary>;

/** How much of a run is complete. An example with a sample that was never run is incomplete and in no rate. */
export const Coverage = z.object({ complete_examples: Count, total_examples: Count, fraction: Fraction }).meta({ id: 'Coverage' });
export type Coverage = z.infer<typeof Coverage>;

/** How far a rate may be off by the choice of examples. Each is 0 only where nothing varies. */
export const StandardError = z
  .object({
    plain: z.number().min(0).nullable().meta({ description: 'Examples taken as independent (n − 1 in the variance); null below two.' }),
    clustered: z
      .object({
        clusters: Count.meta({ description: 'Independent groups: clusters, and examples without one.' }),
        cr0: z.number().min(0).meta({ description: 'Without a correction for few clusters.' }),
        cr1: z.number().min(0).meta({ description: 'CR0·√(G/(G−1)): the one to use.' }),
      })
      .nullable()
      .meta({ description: 'null when no example names a cluster, and below two clusters.' }),
  })
  .meta({ id: 'StandardError' });
export type StandardError = z.infer<typeof StandardError>;

/** Numbers of one run. Rates and slices are over reduced outcomes; latency, tokens, reasoning and format over raw ones. */
export const Metrics = z
  .object({
    num_examples: Count.meta({ description: 'Reduced outcomes: the sample size.' }),
    num_completions: Count.meta({ description: 'Raw outcomes: not a sample size.' }),
    counts: OutcomeCounts,
    accuracy: Fraction.nullable().meta({ description: 'Passes ÷ examples that were not skipped; null without any.' }),
    accuracy_confidence_interval: Interval.nullable(),
    accuracy_standard_error: StandardError,
    minimum_detectable_effect: z.number().min(0).nullable().meta({
      description:
        'Smallest true difference of accuracy to an independent run of this size that a test at α = 0.05 finds with 80 % power: 2.80·√2·standard error, the clustered one where there is one. Pairing makes it smaller; see the comparison. null where nothing varies.',
    }),
    graded_pass_rate: Fraction.nullable().meta({ description: 'Passes ÷ examples that are neither error nor skipped.' }),
    graded_pass_rate_confidence_interval: Interval.nullable(),
    error_bounds: z
      .object({ accuracy_if_errors_fail: Fraction, accuracy_if_errors_pass: Fraction })
      .nullable()
      .meta({ description: 'What errors could move accuracy to.' }),
    mean_score: Fraction.nullable(),
    weighted_mean_score: Fraction.meta({ description: 'Σ(weight·score) ÷ Σweight; 0 when the weights sum to 0.' }),
    tag_breakdown: z.record(z.string(), MetricSlice),
    by_scorer: z.record(z.string(), MetricSlice),
    by_category: z.record(z.string(), MetricSlice).meta({ description: 'Examples without a category are in no slice.' }),
    pass_rate_by_tool: z.record(z.string(), MetricSlice),
    confusion_by_tool: z
      .record(z.string(), z.record(z.string(), Count))
      .meta({ description: 'Target tool → predicted tool → examples; no prediction is "<none>".' }),
    latency_ms: LatencySummary,
    total_prompt_tokens: Count,
    total_cached_tokens: Count,
    total_completion_tokens: Count,
    reasoning: ReasoningSummary,
    num_unclosed_thinking: Count,
    num_non_xml_tool_calls: Count,
    num_schema_missing_required: Count,
    num_schema_extra_unknown: Count,
    coverage: Coverage,
    cost_usd: z.string().nullable().meta({ description: 'US dollars as a decimal string; null when any sample is unpriced.' }),
    known_cost_usd: z.string().meta({ description: 'The sum over the priced samples.' }),
    priced_fraction: Fraction.nullable().meta({ description: 'Priced samples ÷ samples; null without any.' }),
  })
  .meta({ id: 'Metrics' });
export type Metrics = z.infer<typeof Metrics>;
