import { exactSignTest } from './exact-sign-test.js';
import { logChoose } from './log-choose.js';

export interface SignTestPower {
  /** Chance that the test is significant, either way. */
  readonly twoSided: number;
  /** Chance that it is significant with more improved than regressed. */
  readonly improved: number;
}

/**
 * Exact power of the sign test (McNemar's exact test) over n pairs of which each improves, regresses or ties by chance.
 *
 *   Σ_d C(n,d)·ψ^d·(1−ψ)^(n−d) · P(significant | d changed),  ψ = improve + regress
 *
 * Among d changed pairs the number improved is binomial with improve/ψ. With improve = regress it is the true size of
 * the test, which is at most alpha. Takes n²/4 steps: for hundreds or a few thousand pairs.
 *
 * @param pairs an integer ≥ 0.
 * @param chances each ≥ 0, together at most 1.
 * @throws RangeError for anything else.
 * Source: unconditional power by summing over the discordant pairs, as in Duffy, Biometrics 40 (1984) 1005–1015.
 * @example signTestPower(20, { improve: 0.3, regress: 0 }).improved // 0.5836…
 */
export function signTestPower(
  pairs: number,
  { improve, regress }: { readonly improve: number; readonly regress: number },
  alpha = 0.05,
): SignTestPower {
  const changing = improve + regress;
  if (!(improve >= 0 && regress >= 0 && changing <= 1 + 1e-12)) {
    throw new RangeError(`signTestPower needs chances >= 0 that sum to at most 1, got ${improve} and ${regress}`);
  }
  let improved = 0;
  let regressed = 0;
  let fewest = -1;
  for (let changed = 0; changed <= pairs; changed++) {
    // The most pairs against the trend that still leave it significant; it never falls as more pairs change.
    while (2 * (fewest + 1) < changed && exactSignTest(changed - fewest - 1, fewest + 1) < alpha) fewest++;
    const share = binomial(pairs, changed, Math.min(1, changing));
    if (fewest < 0 || share === 0) continue;
    for (let against = 0; against <= fewest; against++) {
      improved += share * binomial(changed, against, regress / changing);
      regressed += share * binomial(changed, against, improve / changing);
    }
  }
  return { twoSided: improved + regressed, improved };
}

/** C(n, k)·p^k·(1−p)^(n−k). */
function binomial(n: number, k: number, p: number): number {
  if (p <= 0) return k === 0 ? 1 : 0;
  if (p >= 1) return k === n ? 1 : 0;
  return Math.exp(logChoose(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p));
}
