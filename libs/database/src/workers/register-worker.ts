import { type ModelPublication } from '@kiln/contracts';
import { v7 as uuid } from 'uuid';
import { type Database, type Queryable } from '../database.js';

export interface WorkerRecord {
  id: string;
  pool: string;
  hostname: string;
  pid: number;
  slots: number;
}

/** A model as its worker publishes it, with the queue on which that worker takes its shards. */
export interface PublishedModel {
  publication: ModelPublication;
  /** Digest over all that makes the model itself: the same name with another identity is another model. */
  identity: string;
  queue: string;
}

export async function registerWorker(db: Queryable, worker: WorkerRecord): Promise<void> {
  await db.query(`INSERT INTO workers (id, pool, hostname, pid, slots, queues) VALUES ($1, $2, $3, $4, $5, '{}')`, [
    worker.id,
    worker.pool,
    worker.hostname,
    worker.pid,
    worker.slots,
  ]);
}

/** Replaces what a worker serves: its queues and its models with their adapters. */
export function publishModels(
  db: Database,
  workerId: string,
  queues: readonly string[],
  models: readonly PublishedModel[],
  scanEpoch: string,
): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.query(`UPDATE workers SET queues = $2, scan_epoch = $3, heartbeat_at = now() WHERE id = $1`, [workerId, queues, scanEpoch]);
    await tx.query(`DELETE FROM worker_models WHERE worker_id = $1`, [workerId]);
    // In one order everywhere: two workers that publish the same models cannot wait for each other.
    for (const model of models.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))) {
      const modelId = await upsertModel(tx, model);
      await tx.query(`INSERT INTO worker_models (worker_id, model_id, execution_provenance) VALUES ($1, $2, $3)`, [
        workerId,
        modelId,
        JSON.stringify(model.publication.execution_provenance),
      ]);
      await upsertAdapters(tx, modelId, model.publication);
    }
  });
}

function orderOf({ publication, identity }: PublishedModel): string {
  return `${publication.model} ${identity}`;
}

async function upsertModel(tx: Queryable, { publication, identity, queue }: PublishedModel): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    `INSERT INTO models (id, name, engine, identity, model_digest, tokenizer_digest, template_digest, context_length, queue, description,
                         weight_shards)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (name, identity) DO UPDATE
       SET published_at = now(), context_length = EXCLUDED.context_length, queue = EXCLUDED.queue,
           description = EXCLUDED.description, weight_shards = coalesce(EXCLUDED.weight_shards, models.weight_shards)
     RETURNING id`,
    [
      uuid(),
      publication.model,
      publication.engine,
      identity,
      publication.model_digest,
      publication.tokenizer_digest,
      publication.template_digest,
      publication.context_tokens,
      queue,
      JSON.stringify(publication.execution_provenance),
      publication.weight_shards === undefined ? null : JSON.stringify(publication.weight_shards),
    ],
  );
  return row!.id;
}

async function upsertAdapters(tx: Queryable, modelId: string, publication: ModelPublication): Promise<void> {
  await tx.query(
    `INSERT INTO adapters (id, model_id, name, digest)
     SELECT id, $1, name, digest FROM unnest($2::uuid[], $3::text[], $4::text[]) AS a (id, name, digest) ORDER BY name, digest
     ON CONFLICT (model_id, name, digest) DO UPDATE SET published_at = now()`,
    [
      modelId,
      publication.adapters.map(() => uuid()),
      publication.adapters.map((entry) => entry.adapter),
      publication.adapters.map((entry) => entry.adapter_digest),
    ],
  );
}

/**
 * Says that a worker lives.
 *
 * @returns the scan that was asked for last, or null when the worker is no longer registered
 */
export async function heartbeatWorker(db: Queryable, workerId: string): Promise<{ scanEpoch: string } | null> {
  const [row] = await db.query<{ scanEpoch: string }>(
    `UPDATE workers SET heartbeat_at = now() WHERE id = $1
     RETURNING (SELECT scan_epoch FROM control WHERE id = 1) AS "scanEpoch"`,
    [workerId],
  );
  return row ?? null;
}

/** The worker takes nothing new; its leases go on. */
export async function drainWorker(db: Queryable, workerId: string): Promise<void> {
  await db.query(`UPDATE workers SET draining = true WHERE id = $1`, [workerId]);
}

/** Forgets a worker that has stopped, or one that has not been heard of for `deadMs`. */
export async function removeWorker(db: Queryable, workerId: string): Promise<void> {
  await db.query(`DELETE FROM workers WHERE id = $1`, [workerId]);
}

export async function removeDeadWorkers(db: Queryable, deadMs: number): Promise<number> {
  const rows = await db.query(`DELETE FROM workers WHERE heartbeat_at < now() - make_interval(secs => $1::float8 / 1000) RETURNING id`, [
    deadMs,
  ]);
  return rows.length;
}

export async function readScanEpoch(db: Queryable): Promise<string> {
  const [row] = await db.query<{ scanEpoch: string }>(`SELECT scan_epoch AS "scanEpoch" FROM control WHERE id = 1`);
  return row?.scanEpoch ?? '0';
}
