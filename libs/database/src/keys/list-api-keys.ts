import { type Queryable } from '../database.js';
import { API_KEY_COLUMNS, type ApiKey } from './api-key.js';

/**
 * A page of a project's keys, revoked ones included, oldest first.
 *
 * @param after id of the last key of the page before (ids are made in order of time), or null
 */
export function listApiKeys(db: Queryable, page: { projectId: string; after: string | null; limit: number }): Promise<ApiKey[]> {
  return db.query<ApiKey>(
    `SELECT ${API_KEY_COLUMNS} FROM api_keys
      WHERE project_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
    [page.projectId, page.after, page.limit],
  );
}
