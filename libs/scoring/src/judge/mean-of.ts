/** The mean of at least one number, to 12 significant digits: what a judge wrote as 0.4 and 0.6 is 0.5. */
export function meanOf(values: readonly number[]): number {
  return Number((values.reduce((sum, value) => sum + value, 0) / values.length).toPrecision(12));
}
