import { type Queryable } from '../database.js';
import { WORKER_SILENT_SECONDS } from './served-model.js';

/** An adapter of a model in that model's latest publication. */
export interface PublishedAdapter {
  id: string;
  name: string;
  modelName: string;
  digest: string;
  active: boolean;
  publishedAt: Date;
}

/** The adapter of this name on a model, or null. */
export async function findAdapter(db: Queryable, modelId: string, name: string): Promise<{ name: string; digest: string } | null> {
  const [adapter] = await db.query<{ name: string; digest: string }>(
    `SELECT a.name, a.digest FROM adapters a JOIN models m ON m.id = a.model_id
      WHERE a.model_id = $1 AND a.name = $2 AND a.published_at >= m.published_at
      ORDER BY a.published_at DESC LIMIT 1`,
    [modelId, name],
  );
  return adapter ?? null;
}

/** Names of a model's adapters, at most `limit`. */
export async function adapterNames(db: Queryable, modelId: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `SELECT DISTINCT a.name FROM adapters a JOIN models m ON m.id = a.model_id
      WHERE a.model_id = $1 AND a.published_at >= m.published_at ORDER BY a.name LIMIT $2`,
    [modelId, limit],
  );
  return rows.map((row) => row.name);
}

export interface AdapterPage {
  projectId: string;
  /** Only those of the model with this name; null for all. */
  modelName: string | null;
  after: { modelName: string; name: string; id: string } | null;
  limit: number;
}

/** A page of the adapters of models that live workers serve, by (model, name, id). */
export function listAdapters(db: Queryable, page: AdapterPage): Promise<PublishedAdapter[]> {
  const { after } = page;
  return db.query<PublishedAdapter>(
    `SELECT a.id, a.name, m.name AS "modelName", a.digest, a.published_at AS "publishedAt",
            coalesce(a.name = (SELECT s.adapter FROM active_adapters s
                                WHERE s.project_id = $1 AND s.model_name = m.name ORDER BY s.id DESC LIMIT 1), false) AS active
       FROM adapters a JOIN models m ON m.id = a.model_id
      WHERE a.published_at >= m.published_at
        AND EXISTS (SELECT 1 FROM worker_models wm JOIN workers w ON w.id = wm.worker_id
                     WHERE wm.model_id = m.id AND w.heartbeat_at > now() - interval '${WORKER_SILENT_SECONDS} seconds')
        AND ($2::text IS NULL OR m.name = $2)
        AND ($3::text IS NULL OR (m.name, a.name, a.id) > ($3, $4, $5::uuid))
      ORDER BY m.name, a.name, a.id LIMIT $6`,
    [page.projectId, page.modelName, after?.modelName ?? null, after?.name ?? null, after?.id ?? null, page.limit],
  );
}
