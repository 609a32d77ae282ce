import { type Example } from '@kiln/contracts';
import { type Queryable } from '../database.js';

/** Columns of an example of the aliases `v` (suite_version_examples) and `e` (examples). */
const EXAMPLE_COLUMNS = `v.example_key AS id, e.messages, e.target, e.aliases, e.tags, e.weight, e.metadata, e.scorer, e.generation,
  e.tools, e.split, e.category, e.notes, e.pinned_history, e.cluster, e.source, e.reference`;

/** Examples of a version with ordinal > `after`, in order, at most `limit`, each with its resolved id. */
export async function readSuiteExamples(
  db: Queryable,
  page: { versionId: string; after: number; limit: number },
): Promise<(Example & { id: string })[]> {
  return db.query<Example & { id: string }>(
    `SELECT ${EXAMPLE_COLUMNS} FROM suite_version_examples v JOIN examples e ON e.id = v.example_id
      WHERE v.version_id = $1 AND v.ordinal > $2 ORDER BY v.ordinal LIMIT $3`,
    [page.versionId, page.after, page.limit],
  );
}

/** The examples of a version at these ordinals, in order, each with its resolved id. */
export async function readExamplesAt(db: Queryable, versionId: string, ordinals: readonly number[]): Promise<(Example & { id: string })[]> {
  return db.query<Example & { id: string }>(
    `SELECT ${EXAMPLE_COLUMNS} FROM suite_version_examples v JOIN examples e ON e.id = v.example_id
      WHERE v.version_id = $1 AND v.ordinal = ANY ($2::int[]) ORDER BY v.ordinal`,
    [versionId, ordinals],
  );
}
