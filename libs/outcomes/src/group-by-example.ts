/**
 * Gathers a stream of rows into one array per example, holding one example at a time.
 *
 * @param rows ordered so that the rows of an example stand together, as (suite ordinal, completion index) does.
 * @returns groups in the order of the stream; a group may be incomplete, which is for the caller to see.
 */
export async function* groupByExample<Row extends { readonly example_id: string }>(
  rows: AsyncIterable<Row> | Iterable<Row>,
): AsyncGenerator<[Row, ...Row[]]> {
  let group: [Row, ...Row[]] | undefined;
  for await (const row of rows) {
    if (group && group[0].example_id === row.example_id) {
      group.push(row);
      continue;
    }
    if (group) yield group;
    group = [row];
  }
  if (group) yield group;
}
