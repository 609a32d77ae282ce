import { type Comparison, type DeltaInterval, type PairedCounts, type PermutationTest, type SignTest } from '@kiln/contracts';
import { type ClusterSums, CONFIDENCE_LEVEL } from '@kiln/outcomes';
import { exactSignTest, minimumDetectableEffect, pairedDifference, type SignFlipResult, studentTQuantile } from '@kiln/statistics';
import { adjustedFor } from './adjusted-comparisons.js';

/** Significant is p < 0.05, strictly, in every test here. */
export const ALPHA = 0.05;

type Tests = Pick<
  Comparison,
  | 'sign_test'
  | 'permutation_test'
  | 'adjusted_p'
  | 'mean_score_delta'
  | 'mean_score_delta_standard_error'
  | 'mean_score_delta_confidence_interval'
  | 'mean_score_delta_clustered'
  | 'minimum_detectable_effect'
>;

/** What the tests are computed from. */
export interface PairedDifferences {
  readonly counts: PairedCounts;
  /** candidate − baseline reduced score of the pairs that changed; the tied ones are known by count. */
  readonly moved: ArrayLike<number>;
  /** The same differences by cluster, those of tied pairs too. */
  readonly byCluster: ClusterSums;
  /** The sign-flip test of the moved pairs; `null` without a pair. */
  readonly signFlip: SignFlipResult | null;
}

/**
 * Both tests, always (ruling 7), and the mean difference with its error. The sign test sees only the direction of each
 * change, the permutation test its size too; where every change is all or nothing they are the same test. P-values are
 * adjusted as if this were the only comparison.
 */
export function pairedTests({ counts, moved, byCluster, signFlip }: PairedDifferences): Tests {
  const difference = pairedDifference(moved, { unmoved: counts.tied });
  const clustered = difference === null ? null : clusteredDelta(difference.mean, byCluster);
  const standardError = clustered?.standard_error_cr1 ?? difference?.standardError ?? null;
  const tests = { sign_test: signTest(counts), permutation_test: permutationTest(signFlip) };
  return {
    ...tests,
    adjusted_p: adjustedFor(tests),
    mean_score_delta: difference?.mean ?? null,
    mean_score_delta_standard_error: difference?.standardError ?? null,
    mean_score_delta_confidence_interval:
      difference === null || difference.lower === null || difference.upper === null
        ? null
        : { lower: difference.lower, upper: difference.upper, confidence_level: CONFIDENCE_LEVEL },
    mean_score_delta_clustered: clustered,
    // Without a spread nothing is known of what could be seen; 0 would say "anything".
    minimum_detectable_effect:
      standardError === null || standardError === 0 ? null : minimumDetectableEffect(standardError, { alpha: ALPHA }),
  };
}

function clusteredDelta(mean: number, byCluster: ClusterSums): Comparison['mean_score_delta_clustered'] {
  const error = byCluster.standardError();
  if (error === null) return null;
  const half = studentTQuantile((1 + CONFIDENCE_LEVEL) / 2, error.clusters - 1) * error.cr1;
  const confidence_interval: DeltaInterval = { lower: mean - half, upper: mean + half, confidence_level: CONFIDENCE_LEVEL };
  return { clusters: error.clusters, standard_error_cr0: error.cr0, standard_error_cr1: error.cr1, confidence_interval };
}

function signTest({ improved, regressed }: PairedCounts): SignTest {
  const p = exactSignTest(improved, regressed);
  return { improved, regressed, p_value: p, alpha: ALPHA, significant: p < ALPHA };
}

function permutationTest(result: SignFlipResult | null): PermutationTest | null {
  if (result === null) return null;
  const significant = result.p < ALPHA;
  return {
    p_value: result.p,
    method: result.method,
    moved: result.moved,
    mean_delta: result.mean,
    verdict: significant ? (result.mean > 0 ? 'improved' : 'regressed') : 'within-noise',
  };
}
