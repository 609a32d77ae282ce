import { type Config } from '@kiln/contracts';
import { type Database } from '@kiln/database';
import { type Logger, type Metrics } from '@kiln/observability';

/** What the outside world hands to the API; `main.ts` makes the real one, tests make theirs. */
export abstract class ApiDependencies {
  abstract readonly database: Database;
  /** For the one session that listens for notifications. */
  abstract readonly databaseUrl: string;
  /** The settings in force now: some may change while the process runs. */
  abstract readonly config: () => Config;
  abstract readonly logger: Logger;
  abstract readonly metrics: Metrics;
  abstract readonly version: string;
}
