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

/** Whether both sides pass the same examples: how far two judges of the same traces agree, for one. */
export const Agreement = z
  .object({
    rate: Fraction.meta({ description: '(both_pass + both_fail) ÷ pairs.' }),
    cohen_kappa: z
      .number()
      .min(-1)
      .max(1)
      .nullable()
      .meta({ description: 'Agreement beyond chance; null where both sides always say the same one thing.' }),
  })
  .meta({ id: 'Agreement' });
export type Agreement = z.infer<typeof Agreement>;

/** The mean difference where examples are not independent. */
export const ClusteredDelta = z
  .object({
    clusters: Count.meta({ description: 'G, independent groups of pairs: clusters, and pairs without one.' }),
    standard_error_cr0: z.number().min(0),
    standard_error_cr1: z.number().min(0).meta({ description: 'CR0·√(G/(G−1)).' }),
    confidence_interval: DeltaInterval.meta({ description: 'Mean ± t·CR1, Student’s t with G − 1 degrees of freedom.' }),
  })
  .meta({ id: 'ClusteredDelta' });
export type ClusteredDelta = z.infer<typeof ClusteredDelta>;

/** One p-value adjusted for the comparisons of its job. */
const AdjustedP = z
  .object({
    holm: Fraction.meta({ description: 'Bounds the chance of any false finding.' }),
    benjamini_hochberg: Fraction.meta({ description: 'Bounds the expected share of false findings.' }),
  })
  .meta({ id: 'AdjustedP' });

/** P-values adjusted for how many candidates were compared with the baseline. Gates decide by the p-values as they are. */
export const AdjustedPValues = z
  .object({
    comparisons: z.int().min(1).meta({ description: 'Candidates of the job.' }),
    sign_test: AdjustedP,
    permutation_test: AdjustedP.nullable(),
  })
  .meta({ id: 'AdjustedPValues' });
export type AdjustedPValues = z.infer<typeof AdjustedPValues>;

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
    mean_score_delta_clustered: ClusteredDelta.nullable().meta({
      description: 'null when no example names a cluster, and below two clusters.',
    }),
    minimum_detectable_effect: z.number().min(0).nullable().meta({
      description:
        'Smallest true mean difference that a test at α = 0.05 finds with 80 % power on pairs that scatter like these: 2.80·standard error, the clustered one where there is one. null where no pair moved.',
    }),
    agreement: Agreement.nullable().meta({ description: 'null without a pair.' }),
    sign_test: SignTest,
    permutation_test: PermutationTest.nullable().meta({ description: 'null without a pair.' }),
    adjusted_p: AdjustedPValues,
  })
  .meta({ id: 'Comparison' });
export type Comparison = z.infer<typeof Comparison>;

/** The answer of the comparison route. */
export const ComparisonList = z.object({ job_id: z.string(), comparisons: z.array(Comparison) }).meta({ id: 'ComparisonList' });
export type ComparisonList = z.infer<typeof ComparisonList>;
