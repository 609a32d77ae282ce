import { type EngineKind } from '@kiln/contracts';
import { type Queryable } from '../database.js';

/** A worker that has been silent for longer serves nothing: its heartbeat comes every few seconds. */
export const WORKER_SILENT_SECONDS = 60;

/** A published model: one name with one set of digests. */
export interface ServedModel {
  id: string;
  name: string;
  engine: EngineKind;
  modelDigest: string;
  tokenizerDigest: string;
  templateDigest: string;
  contextLength: number | null;
  /** Queue on which its workers take shards. */
  queue: string;
  publishedAt: Date;
  /** Live workers that serve it now. */
  workers: number;
  /** Pools of those workers. */
  pools: string[];
  /** Adapters in the latest publication. */
  adapterCount: number;
  /** The project's active adapter; null = the base model. */
  activeAdapter: string | null;
}

/**
 * FROM and SELECT of served models; $1 is the project. An adapter is current when the latest publication of its model named
 * it: both rows then carry that transaction's time.
 */
export const SELECT_SERVED_MODELS = `
  SELECT m.id, m.name, m.engine, m.model_digest AS "modelDigest", m.tokenizer_digest AS "tokenizerDigest",
         m.template_digest AS "templateDigest", m.context_length AS "contextLength", m.queue,
         m.published_at AS "publishedAt", live.workers, live.pools,
         (SELECT count(*)::int FROM adapters a WHERE a.model_id = m.id AND a.published_at >= m.published_at) AS "adapterCount",
         (SELECT nullif(a.adapter, '') FROM active_adapters a
           WHERE a.project_id = $1 AND a.model_name = m.name ORDER BY a.id DESC LIMIT 1) AS "activeAdapter"
    FROM models m
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS workers, coalesce(array_agg(DISTINCT w.pool), '{}') AS pools
        FROM worker_models wm JOIN workers w ON w.id = wm.worker_id
       WHERE wm.model_id = m.id AND w.heartbeat_at > now() - interval '${WORKER_SILENT_SECONDS} seconds') live`;

/**
 * The model of this name that most live workers serve (the latest published of equals), or, when nobody serves the name just
 * now, the latest that was published. Null when no worker ever published the name.
 */
export async function findModel(db: Queryable, projectId: string, name: string): Promise<ServedModel | null> {
  const [model] = await db.query<ServedModel>(
    `${SELECT_SERVED_MODELS} WHERE m.name = $2 ORDER BY live.workers DESC, m.published_at DESC, m.id LIMIT 1`,
    [projectId, name],
  );
  return model ?? null;
}

/** Names of the models that live workers serve, the echo last, at most `limit`. */
export async function servedModelNames(db: Queryable, limit: number): Promise<{ name: string; engine: EngineKind }[]> {
  return db.query(
    `SELECT DISTINCT m.engine = 'echo' AS echo, m.name, m.engine
       FROM models m JOIN worker_models wm ON wm.model_id = m.id JOIN workers w ON w.id = wm.worker_id
      WHERE w.heartbeat_at > now() - interval '${WORKER_SILENT_SECONDS} seconds'
      ORDER BY echo, m.name LIMIT $1`,
    [limit],
  );
}

/** A page of the models that live workers serve, by (name, id). */
export function listModels(
  db: Queryable,
  page: { projectId: string; after: { name: string; id: string } | null; limit: number },
): Promise<ServedModel[]> {
  return db.query<ServedModel>(
    `${SELECT_SERVED_MODELS}
      WHERE live.workers > 0 AND ($2::text IS NULL OR (m.name, m.id) > ($2, $3::uuid))
      ORDER BY m.name, m.id LIMIT $4`,
    [page.projectId, page.after?.name ?? null, page.after?.id ?? null, page.limit],
  );
}
