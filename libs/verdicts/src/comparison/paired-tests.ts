import { type Comparison, type PairedCounts, type PermutationTest, type SignTest } from '@kiln/contracts';
import { CONFIDENCE_LEVEL } from '@kiln/outcomes';
import { exactSignTest, pairedDifference, signFlipPermutationTest } from '@kiln/statistics';

/** Significant is p < 0.05, strictly, in every test here. */
export const ALPHA = 0.05;

type Tests = Pick<
  Comparison,
  'sign_test' | 'permutation_test' | 'mean_score_delta' | 'mean_score_delta_standard_error' | 'mean_score_delta_confidence_interval'
>;

/**
 * Both tests, always (ruling 7), and the mean difference with its error. The sign test sees only the direction of each
 * change, the permutation test its size too; where every change is all or nothing they are the same test.
 *
 * @param movedDeltas candidate − baseline reduced score of the pairs that changed; the tied ones are known by count.
 */
export function pairedTests(counts: PairedCounts, movedDeltas: readonly number[]): Tests {
  const options = { unmoved: counts.tied };
  const difference = pairedDifference(movedDeltas, options);
  return {
    sign_test: signTest(counts),
    permutation_test: permutationTest(movedDeltas, options),
    mean_score_delta: difference?.mean ?? null,
    mean_score_delta_standard_error: difference?.standardError ?? null,
    mean_score_delta_confidence_interval:
      difference === null || difference.lower === null || difference.upper === null
        ? null
        : { lower: difference.lower, upper: difference.upper, confidence_level: CONFIDENCE_LEVEL },
  };
}

function signTest({ improved, regressed }: PairedCounts): SignTest {
  const p = exactSignTest(improved, regressed);
  return { improved, regressed, p_value: p, alpha: ALPHA, significant: p < ALPHA };
}

function permutationTest(movedDeltas: readonly number[], options: { unmoved: number }): PermutationTest | null {
  const result = signFlipPermutationTest(movedDeltas, options);
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
