import { type Queryable } from '../database.js';
import { type ExampleRecord } from './example-record.js';

/** The columns of `examples` that hold content, with their types in a JSON record. */
const CONTENT = `messages jsonb, tools jsonb, target text, aliases text[], tags text[], weight float8, metadata jsonb, scorer jsonb,
  generation jsonb, split text, category text, notes text, pinned_history jsonb, cluster text, source jsonb, reference jsonb`;
const NAMES = CONTENT.replaceAll(/(\w+) [\w[\]]+/g, '$1');

/**
 * Adds consecutive examples to a version. Content that the project has already is not stored again.
 *
 * Two statements: the second must see rows that another transaction committed while the first one waited for them. Rows are
 * written in order of their hash, so that two batches with common content cannot wait for each other. The LIMIT keeps the
 * look-up an index scan: a join reads the whole table for each batch while its statistics are old.
 */
export async function insertExamples(
  tx: Queryable,
  place: { projectId: string; versionId: string; firstOrdinal: number },
  batch: readonly ExampleRecord[],
): Promise<void> {
  const hashes = batch.map(({ hash }) => hash);
  await tx.query(
    `INSERT INTO examples (project_id, hash, ${NAMES})
     SELECT $1, decode(e.hash, 'hex'), ${NAMES}
       FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS (${CONTENT}), unnest($3::text[])) AS e (${NAMES}, hash)
      ORDER BY 2
     ON CONFLICT (project_id, hash) DO NOTHING`,
    [place.projectId, `[${batch.map(({ content }) => content).join(',')}]`, hashes],
  );
  await tx.query(
    `INSERT INTO suite_version_examples (version_id, ordinal, example_key, example_id)
     SELECT $1, $2 + n - 1, i.key, e.id
       FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS i (key, hash, n)
      CROSS JOIN LATERAL (SELECT id FROM examples WHERE project_id = $5 AND hash = decode(i.hash, 'hex') LIMIT 1) e`,
    [place.versionId, place.firstOrdinal, batch.map(({ key }) => key), hashes, place.projectId],
  );
}
