import { type Config, KilnError } from '@kiln/contracts';

/** @throws KilnError when no database is configured: a service of a fleet never starts one by itself */
export function requireDatabaseUrl(config: Config): string {
  if (config.database_url !== null) return config.database_url;
  throw new KilnError('eval_invalid_request', 'database_url: is not set', {
    path: 'database_url',
    hint: 'set KILN_DATABASE_URL to a PostgreSQL URL, or run everything on this machine with ./kiln up',
  });
}
