/**
 * Fleiss' κ: agreement beyond chance of several raters, the same number for each case.
 *
 * @param table one row per case: how many raters gave each label. All rows have the same sum, at least 2.
 * @returns `null` without a case, and where only one label was ever given.
 * @throws RangeError for rows of different length or sum.
 * Source: J. L. Fleiss, Psychol. Bull. 76 (1971) 378–382.
 * @example fleissKappa([[3, 0], [0, 3], [2, 1]]) // 0.55
 */
export function fleissKappa(table: readonly (readonly number[])[]): number | null {
  const [first] = table;
  if (first === undefined) return null;
  const raters = first.reduce((sum, count) => sum + count, 0);
  const labels: number[] = first.map(() => 0);
  let agreeing = 0;
  for (const row of table) {
    if (row.length !== labels.length || raters < 2 || row.reduce((sum, count) => sum + count, 0) !== raters) {
      throw new RangeError('fleissKappa needs rows of one length whose counts sum to the same number of raters, at least 2');
    }
    row.forEach((count, label) => {
      labels[label] = (labels[label] as number) + count;
      agreeing += count * (count - 1);
    });
  }
  const observed = agreeing / (table.length * raters * (raters - 1));
  const byChance = labels.reduce((sum, count) => sum + (count / (table.length * raters)) ** 2, 0);
  return byChance === 1 ? null : (observed - byChance) / (1 - byChance);
}
