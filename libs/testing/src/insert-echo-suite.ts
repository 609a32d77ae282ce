import { type Queryable } from '@kiln/database';
import { randomUUID } from 'node:crypto';

/** The project that every migrated database has. */
export const DEFAULT_PROJECT = '00000000-0000-7000-8000-000000000001';

/** A stored suite version, as an admission names it. */
export interface EchoSuite {
  versionId: string;
  name: string;
  hash: string;
  exampleCount: number;
}

/**
 * Stores a suite whose example i asks the echo for "i" and expects it back: one statement, however many examples. Example i has
 * the tag `even` or `odd`.
 */
export async function insertEchoSuite(db: Queryable, exampleCount: number): Promise<EchoSuite> {
  const versionId = randomUUID();
  const suite = {
    versionId,
    name: `echo-${versionId.slice(0, 8)}`,
    hash: `sha256:${versionId.replaceAll('-', '').padEnd(64, '0')}`,
    exampleCount,
  };
  const header = {
    name: suite.name,
    description: null,
    schema_version: 2,
    default_scorer: { kind: 'exact_match' },
    generation: {},
    aggregation: { kind: 'single' },
    system_prompt: null,
    tools: null,
  };
  await db.query(
    `INSERT INTO suite_versions (id, project_id, suite_id, number, hash, schema_version, header, example_count, example_ns,
                                 max_prompt_bytes, scorer_kinds, created_by)
     VALUES ($1, $2, NULL, 1, $3, 2, $4, $5, '{}', 8, '{exact_match}', 'test')`,
    [versionId, DEFAULT_PROJECT, suite.hash, JSON.stringify(header), exampleCount],
  );
  await db.query(
    `WITH made AS (
       INSERT INTO examples (project_id, hash, messages, target, aliases, tags)
       SELECT $2, sha256(convert_to($1 || ':' || i, 'UTF8')), jsonb_build_array(jsonb_build_object('role', 'user', 'content', i::text)),
              i::text, '{}', ARRAY[CASE WHEN i % 2 = 0 THEN 'even' ELSE 'odd' END]
         FROM generate_series(0, $3 - 1) AS i
       RETURNING id, target)
     INSERT INTO suite_version_examples (version_id, ordinal, example_key, example_id)
     SELECT $1::uuid, target::int, 'example-' || target, id FROM made`,
    [versionId, DEFAULT_PROJECT, exampleCount],
  );
  return suite;
}
