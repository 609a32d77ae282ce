import { type AdjustedPValues, type Comparison } from '@kiln/contracts';
import { roundEvidence } from '@kiln/provenance';
import { adjustPValues } from '@kiln/statistics';

type Tested = Pick<Comparison, 'sign_test' | 'permutation_test'>;

/**
 * The comparisons of one job, each with its p-values adjusted for how many there are: among ten equal candidates one is
 * likely to look better at p < 0.05. Holm bounds the chance of any such finding, Benjamini and Hochberg's their share.
 *
 * Gates go on to decide by the p-values as they are (their policies are versioned, and know one candidate); the adjusted
 * ones are for who chooses among the candidates.
 */
export function adjustedComparisons(comparisons: readonly Comparison[]): Comparison[] {
  return comparisons.map((comparison) => roundEvidence({ ...comparison, adjusted_p: adjustedFor(comparison, comparisons) }));
}

/** The adjusted p-values of one of `all` comparisons. A candidate without a permutation test is none in its family. */
export function adjustedFor(one: Tested, all: readonly Tested[] = [one]): AdjustedPValues {
  const permuted = all.filter((tested) => tested.permutation_test !== null);
  return {
    comparisons: all.length,
    sign_test: adjusted(
      all.map((tested) => tested.sign_test.p_value),
      all.indexOf(one),
    ),
    permutation_test:
      one.permutation_test === null
        ? null
        : adjusted(
            permuted.map((tested) => tested.permutation_test?.p_value as number),
            permuted.indexOf(one),
          ),
  };
}

function adjusted(values: readonly number[], index: number): AdjustedPValues['sign_test'] {
  return {
    holm: adjustPValues('holm', values)[index] as number,
    benjamini_hochberg: adjustPValues('benjamini_hochberg', values)[index] as number,
  };
}
