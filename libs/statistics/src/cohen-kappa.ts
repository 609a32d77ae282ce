export interface Agreement {
  readonly cases: number;
  /** Share of cases on which both raters say the same. */
  readonly rate: number;
  /** Agreement beyond chance, from −1 to 1; `null` where chance alone would always agree (one label only). */
  readonly kappa: number | null;
}

/**
 * Agreement of two raters, and Cohen's κ = (p_o − p_e)/(1 − p_e) with p_e from each rater's own label rates.
 *
 * @param table square counts: row = label of the first rater, column = label of the second.
 * @returns `null` without a case.
 * @throws RangeError for a table that is not square or has anything but counts.
 * Source: J. Cohen, Educ. Psychol. Meas. 20 (1960) 37–46.
 * @example cohenKappa([[20, 5], [10, 15]]) // { cases: 50, rate: 0.7, kappa: 0.4 }
 */
export function cohenKappa(table: readonly (readonly number[])[]): Agreement | null {
  const labels = table.length;
  if (table.some((row) => row.length !== labels || row.some((count) => !Number.isSafeInteger(count) || count < 0))) {
    throw new RangeError('cohenKappa needs a square table of counts');
  }
  const rows = table.map((row) => row.reduce((sum, count) => sum + count, 0));
  const columns = table.map((_, column) => table.reduce((sum, row) => sum + (row[column] as number), 0));
  const cases = rows.reduce((sum, count) => sum + count, 0);
  if (cases === 0) return null;
  const agreed = table.reduce((sum, row, label) => sum + (row[label] as number), 0);
  // Both sides of the quotient times cases²: whole numbers, so that perfect agreement is exactly 1.
  const byChance = rows.reduce((sum, count, label) => sum + count * (columns[label] as number), 0);
  const beyond = cases * cases - byChance;
  return { cases, rate: agreed / cases, kappa: beyond === 0 ? null : (agreed * cases - byChance) / beyond };
}
