import { DEFAULT_PROJECT_ID, type Database, createApiKey, findApiKey, hashApiKeyToken } from '@kiln/database';
import { ALONE_SCOPES, type Credentials, readCredentials, writeCredentials } from './credentials.js';

/**
 * The key of alone mode: the one in the file as long as the database accepts it, else a new one, written to the file.
 * @returns the credentials, and whether they are new (then they may be shown, once)
 */
export async function ensureCredentials(db: Database, file: string): Promise<{ credentials: Credentials; created: boolean }> {
  const kept = await readCredentials(file);
  if (kept !== null && (await findApiKey(db, hashApiKeyToken(kept.api_key))) !== null) return { credentials: kept, created: false };
  const createdAt = new Date().toISOString();
  const { key, token } = await createApiKey(
    db,
    // Names stay taken for ever, so that the audit log remains readable: the moment makes this one new.
    { projectId: DEFAULT_PROJECT_ID, name: `alone mode ${createdAt}`, scopes: ALONE_SCOPES, expiresAt: null },
    { actor: 'operator', source: 'cli' },
  );
  const credentials: Credentials = { api_key: token, key_id: key.id, created_at: createdAt };
  await writeCredentials(file, credentials);
  return { credentials, created: true };
}
