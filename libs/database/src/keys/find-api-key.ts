import { type Queryable } from '../database.js';
import { API_KEY_COLUMNS, type ApiKey } from './api-key.js';

/**
 * The key with this token hash, when it is neither revoked nor expired by the database's clock. Notes its use, at most once a
 * minute, so that a busy key does not rewrite its row for every request.
 */
export async function findApiKey(db: Queryable, tokenHash: Uint8Array): Promise<(ApiKey & { tokenHash: Buffer }) | null> {
  const [key] = await db.query<ApiKey & { tokenHash: Buffer }>(
    `WITH touched AS (
       UPDATE api_keys SET last_used_at = now()
        WHERE token_hash = $1 AND revoked_at IS NULL AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
     )
     SELECT ${API_KEY_COLUMNS}, token_hash AS "tokenHash" FROM api_keys
      WHERE token_hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
    [tokenHash],
  );
  return key ?? null;
}
