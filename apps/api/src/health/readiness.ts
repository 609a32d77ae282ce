import { Injectable } from '@nestjs/common';
import { type ReadinessView } from '@kiln/contracts';
import { isMigrated } from '@kiln/database';
import { ApiDependencies } from '../api-dependencies.js';
import { Draining } from '../http/draining.js';

/** Probes give up after a second or a few; a database that answers later is not ready either. */
const PATIENCE_MS = 2_000;

/** Whether requests can be served now, and what keeps them from it. */
@Injectable()
export class Readiness {
  #migrated = false;

  constructor(
    private readonly api: ApiDependencies,
    private readonly draining: Draining,
  ) {}

  async check(): Promise<ReadinessView> {
    const database = await this.#database();
    const checks = {
      process: this.draining.isDraining ? 'stopping' : 'ok',
      database,
      migrations: database !== 'ok' ? 'unknown while the database is not ready' : await this.#migrations(),
    };
    const ready = Object.values(checks).every((check) => check === 'ok');
    return { status: ready ? 'ready' : 'not_ready', checks };
  }

  async #database(): Promise<string> {
    return within(PATIENCE_MS, async () => {
      await this.api.database.query('SELECT 1');
      return 'ok';
    });
  }

  async #migrations(): Promise<string> {
    if (this.#migrated) return 'ok';
    return within(PATIENCE_MS, async () => {
      this.#migrated = await isMigrated(async (sql) => ({ rows: await this.api.database.query<{ name: string }>(sql) }));
      return this.#migrated ? 'ok' : 'migrations are missing: they are applied by `kiln up`, or by the migration job of the deployment';
    });
  }
}

/** The answer of `ask`, or why there is none: an error's code and not its message, which may name hosts and users. */
function within(ms: number, ask: () => Promise<string>): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(`no answer within ${ms} ms`), ms);
    void ask()
      .catch(describe)
      .then((answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
  });
}

function describe(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? `not reachable (${code})` : 'not reachable';
}
