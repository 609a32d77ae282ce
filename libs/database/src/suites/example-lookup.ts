/**
 * Joins, as `e`, the example at a row's ordinal: `e.example_key` and all columns of its content.
 *
 * One look-up a row, which OFFSET keeps the planner from turning into a plain join: as one, it reads all examples of the suite for each page
 * of results once there are some hundred thousand of them.
 *
 * @param row alias of the row that has the `ordinal`
 * @param versionId SQL of the suite version's id
 */
export function exampleLookup(row: string, versionId: string): string {
  return `CROSS JOIN LATERAL (SELECT v.example_key, e.* FROM suite_version_examples v JOIN examples e ON e.id = v.example_id
                               WHERE v.version_id = ${versionId} AND v.ordinal = ${row}.ordinal OFFSET 0) e`;
}
