import { type Database } from '@kiln/database';
import { type Generator } from '@kiln/inference';
import { type RunConfined } from '@kiln/scoring';
import { type LoadedTargets } from './loaded-targets.js';
import { type ScorerCache } from './scorer-cache.js';
import { type SuiteHeaders } from './suite-headers.js';
import { type TraceIds } from './trace-ids.js';
import { type WorkerMetrics } from './worker-metrics.js';

/** What every attempt at a shard works with. */
export interface ShardTools {
  db: Database;
  engine: Generator;
  targets: LoadedTargets;
  headers: SuiteHeaders;
  scorers: ScorerCache;
  traceIds: TraceIds;
  runConfined: RunConfined;
  metrics: WorkerMetrics;
  /** How long a result transaction is tried again while the database is away. */
  retryMs: number;
}
