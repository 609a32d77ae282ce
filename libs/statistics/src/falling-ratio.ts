/** Larger integers than this many bits are cut at the low end before they become doubles, which end at 2^1024. */
const KEPT_BITS = 900;

/**
 * Π (a−i)/(b−i) for i from 0 to terms−1, and what is missing to 1, each the double nearest to the true quotient or next
 * to it. Computed from whole numbers: a half is exactly 0.5, so that a threshold at 0.5 decides as the true value would.
 *
 * @throws RangeError unless 0 ≤ a ≤ b and 0 ≤ terms ≤ b, all integers.
 * @example fallingRatio(3, 5, 2) // { ratio: 0.3, rest: 0.7 }: (3/5)·(2/4)
 */
export function fallingRatio(a: number, b: number, terms: number): { readonly ratio: number; readonly rest: number } {
  if (![a, b, terms].every(Number.isSafeInteger) || a < 0 || a > b || terms < 0 || terms > b) {
    throw new RangeError(`fallingRatio needs integers 0 <= a <= b and 0 <= terms <= b, got ${a}, ${b}, ${terms}`);
  }
  if (terms > a) return { ratio: 0, rest: 1 };
  let numerator = 1n;
  let denominator = 1n;
  for (let i = 0; i < terms; i++) {
    numerator *= BigInt(a - i);
    denominator *= BigInt(b - i);
  }
  return { ratio: quotient(numerator, denominator), rest: quotient(denominator - numerator, denominator) };
}

function quotient(numerator: bigint, denominator: bigint): number {
  const cut = BigInt(Math.max(0, denominator.toString(16).length * 4 - KEPT_BITS));
  return Number(numerator >> cut) / Number(denominator >> cut);
}
