import { KilnError, type Scope } from '@kiln/contracts';
import { v7 as uuid } from 'uuid';
import { recordAudit } from '../audit/record-audit.js';
import { type Actor } from '../audit/actor.js';
import { type Database } from '../database.js';
import { API_KEY_COLUMNS, type ApiKey } from './api-key.js';
import { createApiKeyToken, hashApiKeyToken } from './api-key-token.js';

/** `kiln_` and eight of the token's characters: 48 of its 256 bits. */
const PREFIX_LENGTH = 13;

export interface NewApiKey {
  projectId: string;
  /** Unique in the project, revoked keys included: audit rows name it. */
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
}

/**
 * Makes a key. The token is in the answer and nowhere else.
 *
 * @throws KilnError `eval_invalid_request` when the project has a key of that name
 */
export function createApiKey(db: Database, key: NewApiKey, actor: Actor): Promise<{ key: ApiKey; token: string }> {
  const token = createApiKeyToken();
  return db.transaction(async (tx) => {
    const [created] = await tx.query<ApiKey>(
      `INSERT INTO api_keys (id, project_id, name, prefix, token_hash, scopes, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (project_id, name) DO NOTHING RETURNING ${API_KEY_COLUMNS}`,
      [uuid(), key.projectId, key.name, token.slice(0, PREFIX_LENGTH), hashApiKeyToken(token), key.scopes, key.expiresAt],
    );
    if (!created) {
      throw new KilnError('eval_invalid_request', `name: a key named ${JSON.stringify(key.name)} exists`, {
        path: 'name',
        hint: 'Choose another name; names of revoked keys stay taken, because the audit log refers to them.',
      });
    }
    await recordAudit(tx, {
      projectId: key.projectId,
      ...actor,
      action: 'key.create',
      subject: created.id,
      detail: { name: key.name, scopes: key.scopes },
    });
    return { key: created, token };
  });
}
