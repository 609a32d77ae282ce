import { type Actor } from '../audit/actor.js';
import { recordAudit } from '../audit/record-audit.js';
import { type Database } from '../database.js';
import { API_KEY_COLUMNS, type ApiKey } from './api-key.js';

/**
 * Revokes a key. Revoking again changes nothing, and keeps the first time.
 *
 * @returns the key, or null when the project has no such key
 */
export function revokeApiKey(db: Database, projectId: string, keyId: string, actor: Actor): Promise<ApiKey | null> {
  return db.transaction(async (tx) => {
    const [revoked] = await tx.query<ApiKey>(
      `UPDATE api_keys SET revoked_at = now() WHERE id = $1 AND project_id = $2 AND revoked_at IS NULL RETURNING ${API_KEY_COLUMNS}`,
      [keyId, projectId],
    );
    if (revoked) {
      await recordAudit(tx, { projectId, ...actor, action: 'key.revoke', subject: keyId, detail: { name: revoked.name } });
      return revoked;
    }
    const [key] = await tx.query<ApiKey>(`SELECT ${API_KEY_COLUMNS} FROM api_keys WHERE id = $1 AND project_id = $2`, [keyId, projectId]);
    return key ?? null;
  });
}
