import { KilnError } from '@kiln/contracts';
import { openDatabase } from '@kiln/database';
import { createMetrics } from '@kiln/observability';
import { requireDatabaseUrl, runService } from '@kiln/service';
import { readFileSync } from 'node:fs';
import { createApp } from './create-app.js';
import { keepInstallingBuiltInSuites } from './suites/install-built-in-suites.js';

/** The same distance from src and from dist. */
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };

await runService('api', async ({ config, settings, log }) => {
  const databaseUrl = requireDatabaseUrl(config);
  const metrics = createMetrics('api', { version, commit: 'unknown' });
  const database = openDatabase(databaseUrl, {
    max: config.database.max_connections,
    statementTimeoutMs: config.database.statement_timeout_ms,
    applicationName: 'kiln-api',
    onIdleError: (err) => log.warn({ err }, 'a database connection was lost'),
  });
  const app = await createApp({ database, databaseUrl, config: settings, logger: log, metrics, version });
  const stopping = new AbortController();
  await keepInstallingBuiltInSuites({ database, logger: log }, stopping.signal);
  await listen(app, config.host, config.port);
  log.info({ url: await app.getUrl() }, 'listening');
  return {
    // Not ready, streams end, requests in flight finish; only then does what they use go away.
    async stop() {
      stopping.abort();
      await app.close();
      await database.close();
      metrics.close();
    },
  };
});

async function listen(app: Awaited<ReturnType<typeof createApp>>, host: string, port: number): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EADDRINUSE') throw error;
    throw new KilnError('eval_invalid_request', `port: ${port} on ${host} is in use`, {
      path: 'port',
      hint: 'Set KILN_PORT to another port, or 0 for any free one.',
      cause: error,
    });
  }
}
