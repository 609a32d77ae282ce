/**
 * The mean of at least one score, to 12 significant digits: what a judge or a program wrote as 0.6, 0.7 and 0.2 is 0.5, and passes where
 * 0.5 does.
 */
export function meanOf(values: readonly number[]): number {
  return Number((values.reduce((sum, value) => sum + value, 0) / values.length).toPrecision(12));
}
