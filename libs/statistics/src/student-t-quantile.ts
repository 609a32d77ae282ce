import { normalQuantile } from './normal-quantile.js';

/** Above this the expansion around the normal quantile is good to 1e-14, and the finite series would be long. */
const SERIES_TO = 1000;

/**
 * Quantile of Student's t distribution with a whole number of degrees of freedom, to about 12 digits.
 *
 * Up to 1,000 degrees: bisection in θ, t = √ν·tan θ, on the finite series of P(|T| ≤ t). Beyond: the expansion in 1/ν.
 *
 * @param p 0 < p < 1.
 * @param degreesOfFreedom an integer ≥ 1.
 * @throws RangeError for anything else.
 * Source: Abramowitz & Stegun 26.7.3, 26.7.4 (series) and 26.7.5 (expansion).
 * @example studentTQuantile(0.975, 9) // 2.262157162798205
 */
export function studentTQuantile(p: number, degreesOfFreedom: number): number {
  if (!Number.isSafeInteger(degreesOfFreedom) || degreesOfFreedom < 1) {
    throw new RangeError(`studentTQuantile needs an integer >= 1 of degrees of freedom, got ${degreesOfFreedom}`);
  }
  const z = normalQuantile(p);
  if (z === 0) return 0;
  if (degreesOfFreedom > SERIES_TO) return expansion(z, degreesOfFreedom);
  const central = Math.abs(2 * p - 1);
  let low = 0;
  let high = Math.PI / 2;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (centralProbability(middle, degreesOfFreedom) < central) low = middle;
    else high = middle;
  }
  return Math.sign(z) * Math.sqrt(degreesOfFreedom) * Math.tan((low + high) / 2);
}

/** P(|T| ≤ √ν·tan θ): sums of positive terms only. */
function centralProbability(theta: number, degreesOfFreedom: number): number {
  const cosine = Math.cos(theta);
  const square = cosine * cosine;
  const odd = degreesOfFreedom % 2 === 1;
  let term = odd ? cosine : 1;
  let sum = 0;
  for (let power = odd ? 1 : 0; power <= degreesOfFreedom - 2; power += 2) {
    sum += term;
    term *= (square * (power + 1)) / (power + 2);
  }
  return odd ? (2 / Math.PI) * (theta + Math.sin(theta) * sum) : Math.sin(theta) * sum;
}

function expansion(z: number, nu: number): number {
  const z2 = z * z;
  const first = (z2 + 1) / 4;
  const second = ((5 * z2 + 16) * z2 + 3) / 96;
  const third = (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
  const fourth = ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92_160;
  return z * (1 + (first + (second + (third + fourth / nu) / nu) / nu) / nu);
}
