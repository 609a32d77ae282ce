/**
 * The values of a column as the text of a Postgres array, for types whose text needs no quotes: numbers, booleans, UUIDs, enum
 * labels. The driver quotes and escapes each element, which for a batch of samples costs more than everything else about it.
 *
 * A column of nulls alone becomes an empty array: `unnest` of several arrays fills the shorter ones with nulls.
 */
export function plainArray(values: readonly (number | bigint | boolean | string | null)[]): string {
  if (values.every((value) => value === null)) return '{}';
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

/** The same for values that the driver has to quote: as they are, or empty when all are null. */
export function quotedArray(values: readonly (string | null)[]): readonly (string | null)[] {
  return values.every((value) => value === null) ? [] : values;
}
