import { type SignFlipResult, signFlipPermutationTest } from '@kiln/statistics';

/**
 * What a sign-flip test takes. Its time grows with the pairs that moved, 25 ms a thousand, so a process that has other
 * things to do asks for the inputs, runs the tests elsewhere, and gives the results to `finish`.
 */
export interface SignFlipInput {
  /** Differences other than 0. */
  readonly deltas: Float64Array<ArrayBuffer>;
  /** Pairs that did not move. */
  readonly unmoved: number;
}

/** The test of an input, on this thread. */
export function signFlipOf({ deltas, unmoved }: SignFlipInput): SignFlipResult | null {
  return signFlipPermutationTest(deltas, { unmoved });
}
