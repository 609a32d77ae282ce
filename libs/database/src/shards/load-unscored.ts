import { type OutcomeKind } from '@kiln/contracts';
import { type Queryable } from '../database.js';
import { USED_TRACES } from '../traces/used-traces.js';
import { type StoredTrace, STORED_TRACE_COLUMNS } from '../outcomes/stored-trace.js';
import { type Lease } from './lease.js';

/** A sample of a shard in phase `score` that has no outcome yet. */
export interface UnscoredSample {
  ordinal: number;
  completionIndex: number;
  /** Null where the source run has none: `ended` says what became of the sample there. */
  trace: (StoredTrace & { id: string }) | null;
  ended: { kind: OutcomeKind; code: string | null; message: string | null } | null;
}

/**
 * What a shard in phase `score` still has to score, in order: the traces of its run, own and borrowed, or of the run that a rescore
 * points at, which have no outcome in this run. A rescore also meets samples that were not measured there.
 */
export async function loadUnscored(db: Queryable, lease: Lease): Promise<UnscoredSample[]> {
  const rows = await db.query<
    { ordinal: number; completionIndex: number; traceId: string | null; endedKind: OutcomeKind } & Record<
      'code' | 'message',
      string | null
    > &
      StoredTrace
  >(
    `SELECT u.ordinal, u.completion_index AS "completionIndex", t.id AS "traceId", u.kind::text AS "endedKind", u.code, u.message,
            ${STORED_TRACE_COLUMNS}
       FROM (SELECT ordinal, completion_index, trace_id, NULL::outcome_kind AS kind, NULL AS code, NULL AS message
               FROM ${USED_TRACES} used WHERE run_id = $1 AND ordinal >= $3 AND ordinal < $3 + $4
             UNION ALL
             SELECT ordinal, completion_index, NULL, kind, error_code, error_message FROM outcomes
              WHERE run_id = $1 AND $1 <> $2 AND trace_id IS NULL AND ordinal >= $3 AND ordinal < $3 + $4) u
       LEFT JOIN traces t ON t.id = u.trace_id
       LEFT JOIN blobs b ON b.digest = t.raw_blob
      WHERE NOT EXISTS (SELECT 1 FROM outcomes o
                         WHERE o.run_id = $2 AND o.ordinal = u.ordinal AND o.completion_index = u.completion_index)
      ORDER BY u.ordinal, u.completion_index`,
    [lease.sourceRunId, lease.runId, lease.firstOrdinal, lease.count],
  );
  return rows.map(({ ordinal, completionIndex, traceId, endedKind, code, message, ...trace }) => ({
    ordinal,
    completionIndex,
    trace: traceId === null ? null : { ...trace, id: traceId },
    ended: traceId === null ? { kind: endedKind, code, message } : null,
  }));
}
