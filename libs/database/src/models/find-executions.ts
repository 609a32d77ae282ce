import { type FrozenModelTarget, type JsonObject, type WeightShard } from '@kiln/contracts';
import { type Queryable } from '../database.js';
import { WORKER_SILENT_SECONDS } from './served-model.js';

/** A model of certain digests, and what the live workers that serve it execute it with. */
export interface PublishedModelFiles {
  id: string;
  queue: string;
  /** Null when no worker listed them. */
  weightShards: WeightShard[] | null;
  executions: { worker: string; provenance: JsonObject }[];
}

/** The model of exactly these digests, whether or not it is served now; null when no worker ever published it. */
export async function findModelFiles(db: Queryable, target: FrozenModelTarget): Promise<PublishedModelFiles | null> {
  const [model] = await db.query<Omit<PublishedModelFiles, 'executions'>>(
    `SELECT id, queue, weight_shards AS "weightShards" FROM models
      WHERE name = $1 AND engine = $2 AND model_digest = $3 AND tokenizer_digest = $4 AND template_digest = $5
      ORDER BY published_at DESC LIMIT 1`,
    [target.model, target.engine, target.model_digest, target.tokenizer_digest, target.template_digest],
  );
  if (!model) return null;
  const executions = await db.query<{ worker: string; provenance: JsonObject }>(
    `SELECT w.hostname || ':' || w.pid AS worker, wm.execution_provenance AS provenance
       FROM worker_models wm JOIN workers w ON w.id = wm.worker_id
      WHERE wm.model_id = $1 AND NOT w.draining AND w.heartbeat_at > now() - interval '${WORKER_SILENT_SECONDS} seconds'
      ORDER BY w.started_at, w.id`,
    [model.id],
  );
  return { ...model, executions };
}
