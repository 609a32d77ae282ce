import { Injectable } from '@nestjs/common';
import { type CreateKeyRequest, type CreateKeyResponse, KilnError, type KeyList, type KeyView } from '@kiln/contracts';
import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '@kiln/database';
import { ApiDependencies } from '../api-dependencies.js';
import { ApiKeyVerifier } from '../auth/api-key-verifier.js';
import { type Caller } from '../auth/caller.js';
import { actorOf } from '../http/actor-of.js';
import { CURSOR_PART, decodeCursor } from '../http/cursor.js';
import { type QueryOf } from '../http/operation.js';
import { pageOf } from '../http/page.js';
import { UUID } from '../http/uuid.js';

@Injectable()
export class KeysService {
  constructor(
    private readonly api: ApiDependencies,
    private readonly verifier: ApiKeyVerifier,
  ) {}

  async create(caller: Caller, request: CreateKeyRequest): Promise<CreateKeyResponse> {
    const expiresAt = request.expires_at === null ? null : new Date(request.expires_at);
    const { projectId } = caller;
    const made = await createApiKey(
      this.api.database,
      { projectId, name: request.name, scopes: request.scopes, expiresAt },
      actorOf(caller),
    );
    return { key: keyView(made.key), secret: made.token };
  }

  async list(caller: Caller, query: QueryOf<'listKeys'>): Promise<KeyList> {
    const [after] = decodeCursor(query.cursor, [CURSOR_PART.uuid]) ?? [];
    const rows = await listApiKeys(this.api.database, { projectId: caller.projectId, after: after ?? null, limit: query.limit + 1 });
    const { shown, next_cursor } = pageOf(rows, query.limit, (key) => [key.id]);
    return { keys: shown.map(keyView), next_cursor };
  }

  async revoke(caller: Caller, keyId: string): Promise<KeyView> {
    const key = UUID.test(keyId) ? await revokeApiKey(this.api.database, caller.projectId, keyId, actorOf(caller)) : null;
    if (!key)
      throw new KilnError('key_not_found', `there is no key ${JSON.stringify(keyId)}`, {
        hint: 'GET /v1/keys lists the keys with their ids.',
      });
    this.verifier.forget(keyId);
    return keyView(key);
  }
}

function keyView(key: ApiKey): KeyView {
  return {
    id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}
