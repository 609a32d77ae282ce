import { type Scope } from '@kiln/contracts';

/** An API key as stored: never its token. */
export interface ApiKey {
  id: string;
  projectId: string;
  name: string;
  /** First characters of the token, to tell keys apart. */
  prefix: string;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

/** The columns of an `ApiKey`, for SELECT and RETURNING. */
export const API_KEY_COLUMNS = `id, project_id AS "projectId", name, prefix, scopes, created_at AS "createdAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt"`;
