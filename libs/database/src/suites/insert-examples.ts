import { type Example } from '@kiln/contracts';
import { type Queryable } from '../database.js';

/** An example whose id is known, with the hash of its content. */
export interface ResolvedExample {
  example: Example & { id: string };
  /** `sha256:…` */
  hash: string;
}

/** The columns of `examples` that hold content, with their types in a JSON record. */
const CONTENT = `messages jsonb, tools jsonb, target text, aliases text[], tags text[], weight float8, metadata jsonb, scorer jsonb,
  generation jsonb, split text, category text, notes text, pinned_history jsonb, cluster text, source jsonb, reference jsonb`;
const NAMES = CONTENT.replaceAll(/(\w+) [\w[\]]+/g, '$1');

/**
 * Adds consecutive examples to a version. Content that the project has already is not stored again.
 *
 * Two statements: the second must see rows that another transaction committed while the first one waited for them. Rows are
 * written in order of their hash, so that two batches with common content cannot wait for each other.
 */
export async function insertExamples(
  tx: Queryable,
  place: { projectId: string; versionId: string; firstOrdinal: number },
  batch: readonly ResolvedExample[],
): Promise<void> {
  await tx.query(
    `INSERT INTO examples (project_id, hash, ${NAMES})
     SELECT $1, decode(e.hash, 'hex'), ${NAMES} FROM jsonb_to_recordset($2::jsonb) AS e (hash text, ${CONTENT})
      ORDER BY 2
     ON CONFLICT (project_id, hash) DO NOTHING`,
    [place.projectId, JSON.stringify(batch.map(({ example, hash }) => ({ ...example, hash: hexOf(hash) })))],
  );
  await tx.query(
    `INSERT INTO suite_version_examples (version_id, ordinal, example_key, example_id)
     SELECT $1, $2 + n - 1, i.key, e.id
       FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS i (key, hash, n)
       JOIN examples e ON e.project_id = $5 AND e.hash = decode(i.hash, 'hex')`,
    [place.versionId, place.firstOrdinal, batch.map(({ example }) => example.id), batch.map(({ hash }) => hexOf(hash)), place.projectId],
  );
}

function hexOf(hash: string): string {
  return hash.slice('sha256:'.length);
}
