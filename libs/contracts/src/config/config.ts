import { z } from 'zod';
import { databaseUrlFlaw, httpUrlFlaw, redisUrlFlaw } from './config-urls.js';
import { Text } from '../scalars/text.js';

const MIB = 1024 * 1024;

function url(flaw: (text: string) => string | null) {
  return z.string().check((ctx) => {
    const message = flaw(ctx.value);
    if (message) ctx.issues.push({ code: 'custom', input: ctx.value, message });
  });
}

const EvalLimits = z
  .strictObject({
    max_queued_jobs: z.int().min(1).default(32).meta({ description: 'More waiting jobs are refused with eval_queue_full.' }),
    max_tracked_jobs: z.int().min(1).default(1024).meta({ description: 'More unfinished jobs are refused with eval_tracked_full.' }),
    max_suite_examples: z.int().min(1).default(1_000_000),
    max_job_samples: z.int().min(1).default(8_000_000).meta({ description: 'Targets × examples × completions of one job.' }),
    max_example_bytes: z
      .int()
      .min(1024)
      .default(4 * MIB)
      .meta({ description: 'Longest line of a JSONL suite.' }),
    webhook_url: url(httpUrlFlaw)
      .nullable()
      .default(null)
      .meta({ description: 'Meant for notices of finished jobs. This version sends none.' }),
  })
  .check(({ value, issues }) => {
    if (value.max_tracked_jobs >= value.max_queued_jobs) return;
    issues.push({
      code: 'custom',
      input: value.max_tracked_jobs,
      path: ['max_tracked_jobs'],
      message: `is ${value.max_tracked_jobs}, less than max_queued_jobs (${value.max_queued_jobs}); raise it or lower max_queued_jobs`,
    });
  });

const Lease = z
  .strictObject({
    ttl_ms: z.int().min(1000).max(600_000).default(30_000).meta({ description: 'A worker that is silent for so long loses its shards.' }),
    heartbeat_ms: z.int().min(100).default(5_000),
  })
  .check(({ value, issues }) => {
    if (value.heartbeat_ms * 2 <= value.ttl_ms) return;
    issues.push({
      code: 'custom',
      input: value.heartbeat_ms,
      path: ['heartbeat_ms'],
      message: `is ${value.heartbeat_ms}; it must be at most half of ttl_ms (${value.ttl_ms}), so that one lost heartbeat loses no lease`,
    });
  });

/** How a worker runs the code of answers and suites. */
const Sandbox = z.strictObject({
  mode: z.enum(['bubblewrap', 'process']).default('bubblewrap').meta({
    description: 'process = without a sandbox: code may do all that the worker may do. For machines where nothing else is possible.',
  }),
  python: Text.min(1).nullable().default(null).meta({ description: 'Runs Python scorers; null = the python3 of the system.' }),
  memory_bytes: z
    .int()
    .min(32 * MIB)
    .default(512 * MIB)
    .meta({ description: 'Address space of one process of a run.' }),
  max_processes: z.int().min(4).max(4096).default(32).meta({ description: 'Processes and threads of one run.' }),
  disk_bytes: z
    .int()
    .min(MIB)
    .default(64 * MIB)
    .meta({ description: 'What one run may have written, in memory.' }),
});

/**
 * Settings of every process, from `kiln.yaml` and the environment. Parsed: all defaults filled. Unknown fields are
 * refused: a misspelt setting would silently not be one. {@link RELOADABLE} says what may change while a process runs.
 */
export const Config = z
  .strictObject({
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .meta({ description: 'Address on which the API listens, and scheduler and worker with their metrics; 0.0.0.0 = all.' }),
    port: z.int().min(0).max(65_535).default(8420).meta({ description: '0 = any free port.' }),
    database_url: url(databaseUrlFlaw).nullable().default(null).meta({ description: 'null = alone: the embedded server of `kiln up`.' }),
    redis_url: url(redisUrlFlaw).nullable().default(null),
    data_dir: Text.min(1).default('.kiln').meta({ description: 'Where `kiln up` keeps its database and credentials.' }),
    model_dir: Text.min(1).default('models').meta({ description: 'Holds one directory for each model.' }),
    default_model: Text.min(1)
      .nullable()
      .default(null)
      .meta({ description: 'The model of requests that name none; null = the only one there is.' }),
    body_limit_bytes: z
      .int()
      .min(1024)
      .default(32 * MIB)
      .meta({ description: 'JSON and YAML bodies; streamed JSONL has no limit.' }),
    queue: z
      .strictObject({
        backend: z.enum(['auto', 'redis', 'postgres']).default('auto').meta({ description: 'auto = Redis where redis_url is set.' }),
      })
      .prefault(() => ({})),
    database: z
      .strictObject({
        max_connections: z.int().min(1).max(1000).default(10).meta({ description: 'Per process.' }),
        statement_timeout_ms: z.int().min(0).default(60_000).meta({ description: '0 = none.' }),
      })
      .prefault(() => ({})),
    log: z
      .strictObject({
        level: z
          .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
          .default('info')
          .meta({ description: 'The least severe that is written.' }),
        pretty: z.boolean().default(false).meta({ description: 'For people instead of for log collectors.' }),
      })
      .prefault(() => ({})),
    inference: z
      .strictObject({
        thinking_budget_tokens: z
          .int()
          .min(0)
          .nullable()
          .default(null)
          .meta({ description: 'Limit on reasoning of jobs that set none, in tokens; null = unlimited.' }),
        thinking_budget_ms: z
          .int()
          .min(0)
          .nullable()
          .default(null)
          .meta({ description: 'Limit on reasoning of jobs that set none, in milliseconds; null = unlimited.' }),
      })
      .prefault(() => ({})),
    lease: Lease.prefault(() => ({})),
    eval: EvalLimits.prefault(() => ({})),
    scheduler: z
      .strictObject({
        metrics_port: z.int().min(0).max(65_535).default(0).meta({ description: '0 = any free port.' }),
      })
      .prefault(() => ({})),
    worker: z
      .strictObject({
        pool: z
          .string()
          .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be lowercase letters, digits and "-", such as "cpu"')
          .default('cpu')
          .meta({
            description:
              'Workers that execute models alike: the same hardware, versions and provider. A model should be served from one pool only. Lowercase letters, digits and "-".',
          }),
        provider: z.enum(['cpu', 'cuda', 'webgpu']).default('cpu').meta({
          description: 'What computes local models. A worker that cannot reach it does not start; it never takes the CPU instead.',
        }),
        device_id: z.int().min(0).max(1023).default(0).meta({ description: 'Which GPU, where provider is cuda.' }),
        slots: z.int().min(1).max(4096).default(2).meta({ description: 'Shards that one worker holds at a time.' }),
        threads: z.int().min(0).max(1024).default(0).meta({ description: 'Threads of an inference child; 0 = one per core.' }),
        max_batch: z
          .int()
          .min(1)
          .max(1024)
          .default(32)
          .meta({ description: 'Most samples that a local model decodes together. On a GPU, a replay needs the same.' }),
        kv_cache_bytes: z.int().min(MIB).nullable().default(null).meta({
          description:
            'Most memory for keys and values of what is decoded; null = a quarter of what there is. With cuda, the memory of the GPU.',
        }),
        weight_cache_bytes: z.int().min(0).nullable().default(null).meta({
          description:
            'Most memory for weights that stay loaded after their last use; null = half of what there is. With cuda, the memory of the GPU.',
        }),
        metrics_port: z.int().min(0).max(65_535).default(0).meta({ description: '0 = any free port.' }),
      })
      .prefault(() => ({})),
    sandbox: Sandbox.prefault(() => ({})),
  })
  .check(({ value, issues }) => {
    if (value.queue.backend !== 'redis' || value.redis_url !== null) return;
    issues.push({
      code: 'custom',
      input: value.redis_url,
      path: ['redis_url'],
      message: 'is not set, and queue.backend is "redis"; set it, or use "auto" or "postgres"',
    });
  });
export type Config = z.output<typeof Config>;
export type ConfigInput = z.input<typeof Config>;

/** Paths of the settings that a running process takes over from a changed file. Everything else needs a restart. */
export const RELOADABLE = [
  'log.level',
  'inference.thinking_budget_tokens',
  'inference.thinking_budget_ms',
  'eval.max_queued_jobs',
  'eval.max_tracked_jobs',
  'eval.max_suite_examples',
  'eval.max_job_samples',
  'eval.max_example_bytes',
] as const;
