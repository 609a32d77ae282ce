import { type Admission, type Database } from '@kiln/database';
import { DEFAULT_PROJECT, type EchoSuite, insertEchoSuite } from './insert-echo-suite.js';

export interface EchoJobOptions {
  /** Examples of the suite; default 4. Ignored when `suite` is given. */
  examples?: number;
  suite?: EchoSuite;
  /** Completions per example; default 1. */
  k?: number;
  /** Runs; default 1. Each has a target of its own. */
  arms?: number;
  /** Examples per shard; default 1. */
  shardExamples?: number;
  /** Worst case of one sample; default 10 nano-USD. */
  costBoundNano?: bigint;
  /** Worst case of one sample; default 100 tokens. */
  tokenBound?: bigint;
  costCapNano?: bigint | null;
  tokenCap?: bigint | null;
  concurrency?: number | null;
  /** Queue of shards that score; default none: samples are scored where they are generated. */
  scoreQueue?: string;
  /** One name for all arms, or one name each; default ECHO_QUEUE. */
  queue?: string | string[];
}

export interface EchoJob {
  jobId: string;
  /** In the order of the arms. */
  runIds: string[];
  suite: EchoSuite;
}

export const ECHO_QUEUE = 'shards.cpu.echo';

/** The admission of an echo job on a stored suite. */
export function echoAdmission(suite: EchoSuite, options: EchoJobOptions = {}): Admission {
  const { k = 1, arms = 1, shardExamples = 1, queue = ECHO_QUEUE } = options;
  const shards = Array.from({ length: Math.ceil(suite.exampleCount / shardExamples) }, (_, block) => {
    const firstOrdinal = block * shardExamples;
    return { block, firstOrdinal, count: Math.min(shardExamples, suite.exampleCount - firstOrdinal) };
  });
  return {
    projectId: DEFAULT_PROJECT,
    kind: arms === 1 ? 'eval' : 'compare',
    submissionKind: arms === 1 ? 'on_demand' : 'compare',
    origin: { actor: 'test', source: 'test' },
    labels: {},
    suite: { versionId: suite.versionId, name: suite.name, hash: suite.hash, exampleCount: suite.exampleCount },
    aggregation: k === 1 ? { kind: 'single' } : { kind: 'mean_at_k', k },
    generationOverride: null,
    effectiveSeed: 7n,
    k,
    runs: Array.from({ length: arms }, (_, arm) => ({
      name: `arm-${arm}`,
      target: {
        kind: 'model' as const,
        engine: 'echo' as const,
        model: 'echo',
        adapter: arm === 0 ? null : `adapter-${arm}`,
        model_digest: 'sha256:echo',
        adapter_digest: arm === 0 ? null : `sha256:adapter-${arm}`,
        tokenizer_digest: 'sha256:echo',
        template_digest: 'sha256:echo',
        pricing: { kind: 'free' as const },
      },
      targetHash: `sha256:echo-${arm}`,
      queue: typeof queue === 'string' ? queue : queue[arm]!,
      effectiveGenerationHash: 'sha256:generation',
      costBoundNano: options.costBoundNano ?? 10n,
      tokenBound: options.tokenBound ?? 100n,
      sourceRunId: null,
      scorer: null,
      judging: null,
      scoreQueue: options.scoreQueue ?? null,
      shards,
    })),
    gate: null,
    thresholds: {},
    costCapNano: options.costCapNano ?? null,
    tokenCap: options.tokenCap ?? null,
    concurrency: options.concurrency ?? null,
    reuseTraces: false,
    sourceJobId: null,
  };
}

/** Stores a suite unless one is given, and admits a job on it. */
export async function admitEchoJob(db: Database, options: EchoJobOptions = {}): Promise<EchoJob> {
  // Imported on first use, as in start-postgres.ts: most tests need no schema engine.
  const { admitJob, withAdmission } = await import('@kiln/database');
  const suite = options.suite ?? (await insertEchoSuite(db, options.examples ?? 4));
  const jobId = await withAdmission(db, (tx, haltEpoch) => admitJob(tx, echoAdmission(suite, options), haltEpoch));
  const runs = await db.query<{ id: string }>(`SELECT id FROM runs WHERE job_id = $1 ORDER BY ordinal`, [jobId]);
  return { jobId, runIds: runs.map((run) => run.id), suite };
}
