import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { type Scope, KilnError } from '@kiln/contracts';
import { readJsonObject, replaceFile } from './replace-file.js';

/** `.kiln/credentials`: the API key of alone mode. Readable by its owner only. */
export interface Credentials {
  readonly api_key: string;
  readonly key_id: string;
  /** ISO 8601, UTC. */
  readonly created_at: string;
}

/** Every scope: whoever can read the file owns the machine's stack. */
export const ALONE_SCOPES: readonly Scope[] = ['eval:read', 'eval:write', 'eval:run', 'ops', 'serve'];

/** The credentials in a file, or null when there are none. */
export async function readCredentials(file: string): Promise<Credentials | null> {
  const value = await readJsonObject(file);
  if (value === null || typeof value['api_key'] !== 'string' || typeof value['key_id'] !== 'string') return null;
  return { api_key: value['api_key'], key_id: value['key_id'], created_at: String(value['created_at'] ?? '') };
}

export function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  return replaceFile(file, `${JSON.stringify(credentials, null, 2)}\n`, 0o600);
}

/**
 * The password of the embedded Postgres: drawn once, kept beside the data.
 * @throws KilnError `internal_error` when there is data but its password is lost
 */
export async function ensurePostgresPassword(passwordFile: string, dataDir: string): Promise<string> {
  const text = await readFile(passwordFile, 'utf8').catch(() => '');
  if (text.trim() !== '') return text.trim();
  const hasData = await stat(`${dataDir}/PG_VERSION`).then(
    () => true,
    () => false,
  );
  if (hasData) {
    throw new KilnError('internal_error', `the password of the database in ${dataDir} is missing (${passwordFile})`, {
      hint: 'put the file back, or move the .kiln folder away to begin with an empty database',
    });
  }
  const password = randomBytes(24).toString('base64url');
  await replaceFile(passwordFile, `${password}\n`, 0o600);
  return password;
}
