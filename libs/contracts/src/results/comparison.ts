import { z } from 'zod';
import { Fraction } from '../scalars/fraction.js';
import { Interval } from './interval.js';

const Count = z.int().min(0);

/** What a comparison or a gate computes from: pairs of complete examples that neither side skipped. */
export const PairedCounts = z
  .object({
    paired_examples: Count,
    improved: Count.meta({ description: 'Pairs whose reduced score rose.' }),
    regressed: Count,
    tied: Count,
    baseline_passes: Count.meta({ description: 'Pairs whose baseline outcome is pass.' }),
    candidate_passes: Count,
  })
  .meta({ id: 'PairedCounts' });
export type PairedCounts = z.infer<typeof PairedCounts>;

/** Exact two-sided binomial test on the pairs that changed. */
export const SignTest = z
  .object({ improved: Count, regressed: Count, p_value: Fraction, alpha: z.number(), significant: z.boolean() })
  .meta({ id: 'SignTest' });
export type SignTest = z.infer<typeof SignTest>;

/** Two-sided sign-flip test on the per-example score differences. */
export const PermutationTest = z
  .object({
    p_value: Fraction,
    method: z.enum(['none', 'exact', 'sampled']).meta({ description: 'none = no example moved; exact up to 20 moved.' }),
    moved: Count,
    mean_delta: z.number(),
    verdict: z.enum(['improved', 'regressed', 'within-noise']),
  })
  .meta({ id: 'PermutationTest' });
export type PermutationTest = z.infer<typeof PermutationTest>;

/** One side of a comparison, over the paired examples only. */
export const ComparedSide = z
  .object({
    run_index: Count,
    name: z.string(),
    adapter: z.string().nullable(),
    accuracy: Fraction.nullable(),
    accuracy_confidence_interval: Interval.nullable(),
    graded_pass_rate: Fraction.nullable(),
    graded_pass_rate_confidence_interval: Interval.nullable(),
    mean_score: Fraction.nullable(),
    num_error: Count,
  })
  .meta({ id: 'ComparedSide' });
export type ComparedSide = z.infer<typeof ComparedSide>;

/** A confidence interval of a difference of scores. */
export const DeltaInterval = z
  .object({ lower: z.number(), upper: z.number(), confidence_level: z.number() })
  .meta({ id: 'DeltaInterval', description: 'Normal interval of the mean paired difference.' });
export type DeltaInterval = z.infer<typeof DeltaInterval>;

/** How many flipped examples a comparison names each way; the counts are always whole. */
export const MAX_LISTED_FLIPS = 100;

/** Paired statistics of one candidate against the baseline. */
export const Comparison = z
  .object({
    baseline: ComparedSide,
    candidate: ComparedSide,
    pairs: PairedCounts,
    unpaired_examples: Count.meta({ description: 'Incomplete or skipped on a side, so in no number here.' }),
    both_pass: Count,
    both_fail: Count.meta({ description: 'Neither side passed, whatever the kind.' }),
    num_improved: Count.meta({ description: 'Flips from no pass to pass.' }),
    num_regressed: Count.meta({ description: 'Flips from pass to no pass.' }),
    improved: z.array(z.string()).max(MAX_LISTED_FLIPS).meta({ description: 'Example ids of the first flips, in suite order.' }),
    regressed: z.array(z.string()).max(MAX_LISTED_FLIPS),
    mean_score_delta: z.number().nullable().meta({ description: 'Mean of candidate − baseline; null without a pair.' }),
    mean_score_delta_standard_error: z.number().min(0).nullable().meta({ description: 'Of the paired differences; null below two pairs.' }),
    mean_score_delta_confidence_interval: DeltaInterval.nullable(),
    sign_test: SignTest,
    permutation_test: PermutationTest.nullable().meta({ description: 'null without a pair.' }),
  })
  .meta({ id: 'Comparison' });
export type Comparison = z.infer<typeof Comparison>;

/** The answer of the comparison route. */
export const ComparisonList = z.object({ job_id: z.string(), comparisons: z.array(Comparison) }).meta({ id: 'ComparisonList' });
export type ComparisonList = z.infer<typeof ComparisonList>;
