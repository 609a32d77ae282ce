import { type Example } from '@kiln/contracts';
import { type Queryable } from '../database.js';
import { type Lease } from './lease.js';
import { recordedRows } from './recorded-rows.js';

/** An example of a shard with its place in the suite. Its `reference` is for scorers and never reaches the target. */
export interface ShardExample {
  ordinal: number;
  /** The resolved id. */
  key: string;
  example: Pick<
    Example,
    'messages' | 'target' | 'aliases' | 'tags' | 'weight' | 'tools' | 'scorer' | 'generation' | 'pinned_history' | 'reference'
  >;
  /** Completion indices that are stored already, as {@link recordedRows} counts them: a job's own always count. */
  recorded: number[];
}

/** The examples of a leased shard, in order, with what is recorded of each. */
export function loadShard(db: Queryable, lease: Lease): Promise<ShardExample[]> {
  return db.query<ShardExample>(
    `SELECT v.ordinal, v.example_key AS key,
            json_build_object('messages', e.messages, 'target', e.target, 'aliases', e.aliases, 'tags', e.tags,
                              'weight', e.weight, 'tools', e.tools, 'scorer', e.scorer, 'generation', e.generation,
                              'pinned_history', e.pinned_history, 'reference', e.reference) AS example,
            coalesce(o.recorded, '{}') AS recorded
       FROM suite_version_examples v
       JOIN examples e ON e.id = v.example_id
       LEFT JOIN (SELECT ordinal, array_agg(completion_index) AS recorded FROM ${recordedRows(lease)} r
                   WHERE run_id = $4 AND ordinal >= $2 AND ordinal < $2 + $3 GROUP BY ordinal) o ON o.ordinal = v.ordinal
      WHERE v.version_id = $1 AND v.ordinal >= $2 AND v.ordinal < $2 + $3
        AND (NOT $5 OR EXISTS (SELECT 1 FROM job_selection sel WHERE sel.job_id = $6 AND sel.ordinal = v.ordinal))
      ORDER BY v.ordinal`,
    [lease.suiteVersionId, lease.firstOrdinal, lease.count, lease.runId, lease.selected, lease.jobId],
  );
}

/** The suite without its examples: default scorer, system prompt, tools, generation. */
export async function loadSuiteHeader(db: Queryable, versionId: string): Promise<unknown> {
  const [row] = await db.query<{ header: unknown }>(`SELECT header FROM suite_versions WHERE id = $1`, [versionId]);
  return row?.header;
}
