import { type SuiteHeader } from '@kiln/contracts';
import { v7 as uuid } from 'uuid';
import { type Queryable } from '../database.js';
import { type ExampleRecord } from './example-record.js';
import { insertExamples } from './insert-examples.js';
import { SUITE_VERSION_COLUMNS, type SuiteFacts, type SuiteVersion } from './suite-version.js';

/** A validated suite that is ready to be stored. */
export interface NewSuiteVersion {
  projectId: string;
  /** `sha256:…` over header and examples. */
  hash: string;
  header: SuiteHeader;
  facts: SuiteFacts;
  /** Name of the API key or process. */
  createdBy: string;
  /** The examples in suite order, in batches; called again when the transaction is run again. */
  batches: () => AsyncIterable<readonly ExampleRecord[]> | Iterable<readonly ExampleRecord[]>;
}

/**
 * Stores a version with its examples, each content once per project. Call it in a transaction.
 *
 * @param suite the suite that it becomes a version of, with its number; null for an inline suite
 */
export async function storeSuiteVersion(
  tx: Queryable,
  version: NewSuiteVersion,
  suite: { id: string; number: number } | null,
): Promise<SuiteVersion> {
  const { facts } = version;
  const [stored] = await tx.query<SuiteVersion>(
    `INSERT INTO suite_versions AS v (id, project_id, suite_id, number, hash, schema_version, header, example_count, example_ns,
                                      example_max_tokens, max_prompt_bytes, scorer_kinds, executed_scorers, tag_counts, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
     RETURNING ${SUITE_VERSION_COLUMNS}`,
    [
      uuid(),
      version.projectId,
      suite?.id ?? null,
      suite?.number ?? 1,
      version.hash,
      version.header.schema_version,
      JSON.stringify(version.header),
      facts.exampleCount,
      facts.exampleNs,
      facts.exampleMaxTokens,
      facts.maxPromptTokens,
      facts.scorerKinds,
      JSON.stringify(facts.executedScorers),
      JSON.stringify(facts.tagCounts),
      version.createdBy,
    ],
  );
  if (!stored) throw new Error('INSERT … RETURNING answered no row');
  let ordinal = 0;
  for await (const batch of version.batches()) {
    await insertExamples(tx, { projectId: version.projectId, versionId: stored.id, firstOrdinal: ordinal }, batch);
    ordinal += batch.length;
  }
  return stored;
}
