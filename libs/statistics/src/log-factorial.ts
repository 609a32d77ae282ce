const HALF_LOG_TWO_PI = 0.9189385332046728;

/** From here on the omitted term of the series, 691/360360·n⁻¹¹, is under 1e-16. */
const SERIES_FROM = 17;

/**
 * ln(n!) for an integer n ≥ 0, to about 1 ulp of the result.
 *
 * Up to 17 the factorial is an exact double. Beyond, Stirling's series
 *   (n + ½) ln n − n + ½ ln 2π + 1/12n − 1/360n³ + 1/1260n⁵ − 1/1680n⁷ + 1/1188n⁹.
 *
 * @throws RangeError for a negative or fractional n.
 * Source: Abramowitz & Stegun 6.1.41.
 * @example logFactorial(5) // Math.log(120)
 */
export function logFactorial(n: number): number {
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError(`logFactorial needs an integer >= 0, got ${n}`);
  if (n <= SERIES_FROM) {
    let product = 1;
    for (let factor = 2; factor <= n; factor++) product *= factor;
    return Math.log(product);
  }
  const inverse = 1 / n;
  const square = inverse * inverse;
  const correction = inverse * (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square * (1 / 1188)))));
  return (n + 0.5) * Math.log(n) - n + HALF_LOG_TWO_PI + correction;
}
