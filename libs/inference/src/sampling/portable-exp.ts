const LOG2_E = 1.4426950408889634;
/** ln 2 in two parts; the high part has 21 trailing zero bits, so that k * LN2_HIGH is exact for every k used here. */
const LN2_HIGH = 6.9314718036912381649e-1;
const LN2_LOW = 1.90821492927058770002e-10;
const TAYLOR_DEGREE = 13;

const INVERSE_FACTORIALS = Float64Array.from({ length: TAYLOR_DEGREE + 1 }, (_, degree) => {
  let factorial = 1;
  for (let factor = 2; factor <= degree; factor++) factorial *= factor;
  return 1 / factorial;
});
/** e^-708 is the last value whose power of two is a normal double. */
const SMALLEST_ARGUMENT = -708;
/** 2^-k, by halving: exact, unlike `**` in some engines. */
const HALVES = new Float64Array(1023);
HALVES[0] = 1;
for (let k = 1; k < HALVES.length; k++) HALVES[k] = HALVES[k - 1]! / 2;

/**
 * e^x for x <= 0, within 2 units in the last place; 0 below -708. Only additions and multiplications of doubles, which
 * IEEE 754 fixes to the bit: `Math.exp` may differ between engines and processors, and a sampled token must not.
 */
export function portableExp(x: number): number {
  if (x === 0) return 1;
  if (!(x <= 0)) throw new RangeError(`portableExp takes x <= 0, not ${x}`);
  if (x < SMALLEST_ARGUMENT) return 0;
  const k = Math.floor(-x * LOG2_E + 0.5);
  const reduced = x + k * LN2_HIGH + k * LN2_LOW;
  let sum = INVERSE_FACTORIALS[TAYLOR_DEGREE]!;
  for (let degree = TAYLOR_DEGREE - 1; degree >= 0; degree--) sum = sum * reduced + INVERSE_FACTORIALS[degree]!;
  return sum * HALVES[k]!;
}
