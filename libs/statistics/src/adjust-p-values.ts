/**
 * `bonferroni` and `holm` bound the chance of any false finding; `benjamini_hochberg` and `benjamini_yekutieli` the
 * expected share of false findings, the latter under any dependence between the tests.
 */
export type PValueAdjustment = 'bonferroni' | 'holm' | 'benjamini_hochberg' | 'benjamini_yekutieli';

/**
 * P-values adjusted for their number: each can be compared with alpha as if it stood alone. In the order given, capped at 1.
 *
 *   p₁ ≤ … ≤ p_m sorted;  bonferroni: m·p
 *   holm (step down):     max over j ≤ i of (m−j+1)·pⱼ
 *   BH (step up):         min over j ≥ i of (m/j)·pⱼ;  BY: the same times Σ 1/j
 *
 * @returns an empty list for an empty list.
 * @throws RangeError for a p outside 0..1.
 * Source: Holm, Scand. J. Statist. 6 (1979) 65–70; Benjamini & Hochberg, JRSS B 57 (1995) 289–300; Benjamini &
 * Yekutieli, Ann. Statist. 29 (2001) 1165–1188.
 * @example adjustPValues('holm', [0.01, 0.04, 0.03, 0.005]) // [0.03, 0.06, 0.06, 0.02]
 */
export function adjustPValues(method: PValueAdjustment, values: readonly number[]): number[] {
  for (const p of values) if (!(p >= 0 && p <= 1)) throw new RangeError(`adjustPValues needs values from 0 to 1, got ${p}`);
  const tests = values.length;
  if (method === 'bonferroni') return values.map((p) => Math.min(1, p * tests));
  const order = values.map((_, index) => index).sort((a, b) => (values[a] as number) - (values[b] as number));
  const factor = method === 'benjamini_yekutieli' ? order.reduce((sum, _, rank) => sum + 1 / (rank + 1), 0) : 1;
  const adjusted: number[] = Array.from({ length: tests }, () => 0);
  let bound = method === 'holm' ? 0 : 1;
  for (let step = 0; step < tests; step++) {
    const rank = method === 'holm' ? step : tests - 1 - step;
    const index = order[rank] as number;
    const p = values[index] as number;
    bound = method === 'holm' ? Math.max(bound, p * (tests - rank)) : Math.min(bound, p * ((tests * factor) / (rank + 1)));
    adjusted[index] = Math.min(1, bound);
  }
  return adjusted;
}
