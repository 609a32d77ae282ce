import { type PowerSettings } from './minimum-detectable-effect.js';
import { signTestPower } from './sign-test-power.js';

/** Halvings of the range: the effect is good to 10 digits. */
const STEPS = 34;

/**
 * The smallest true difference improve − regress that the exact sign test (McNemar's) finds with the given power, when
 * this share of the pairs changes: the exact counterpart of the normal approximation, which is too hopeful for few pairs.
 *
 * The power rises with the difference, so it is found by bisection over {@link signTestPower}.
 *
 * @param pairs an integer ≥ 0; for hundreds or a few thousand.
 * @param changing improve + regress, from 0 to 1.
 * @returns `null` when even changes that all improve would not be found.
 * @throws RangeError for a share outside 0..1.
 * @example signTestDetectableEffect(100, 0.2) // 0.128: about 16 up for 4 down
 */
export function signTestDetectableEffect(
  pairs: number,
  changing: number,
  { alpha = 0.05, power = 0.8 }: PowerSettings = {},
): number | null {
  if (!(changing >= 0 && changing <= 1)) throw new RangeError(`signTestDetectableEffect needs a share from 0 to 1, got ${changing}`);
  const found = (effect: number): boolean =>
    signTestPower(pairs, { improve: (changing + effect) / 2, regress: (changing - effect) / 2 }, alpha).twoSided >= power;
  if (!found(changing)) return null;
  let [low, high] = [0, changing];
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (found(middle)) high = middle;
    else low = middle;
  }
  return high;
}
