import { readRunRecord, type RunningStack, stackPaths, startStack } from '@kiln/stack';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KilnClient } from './kiln-client.js';
import { startRedis } from './start-redis.js';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** The processes whose memory is watched. */
export const SERVICES = ['api', 'scheduler', 'worker'] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface BenchStack {
  client: KilnClient;
  /** The server that everything runs on. */
  databaseUrl: string;
  pids: Record<ServiceName, number>;
  /** Of the services and of Postgres. */
  allPids: readonly number[];
  stop(): Promise<void>;
}

export interface BenchStackOptions {
  redis: boolean;
  keep: boolean;
  /** Default: an empty folder. The echo needs no model, and those of the repository would be scanned and hashed. */
  modelDir?: string;
  /** Settings in the form of environment variables; all others have their defaults. */
  settings?: Readonly<Record<string, string>>;
  onProgress: (line: string) => void;
}

/**
 * Starts alone mode with its default settings in a new folder: embedded Postgres with its default durability, API, scheduler and
 * one worker. No setting of the caller's environment reaches it.
 */
export async function startBenchStack({ redis, keep, settings = {}, onProgress, ...options }: BenchStackOptions): Promise<BenchStack> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kiln-bench-'));
  const dataDir = path.join(folder, '.kiln');
  const modelDir = options.modelDir ?? path.join(folder, 'models');
  await mkdir(modelDir, { recursive: true });
  const server = redis ? await startRedis(folder) : null;
  let stack: RunningStack | null = null;
  const stop = async (): Promise<void> => {
    await stack?.stop();
    await server?.stop();
    if (keep) onProgress(`kept ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  };
  try {
    const env = { ...withoutSettings(process.env), ...settings, ...(server === null ? {} : { KILN_REDIS_URL: server.url }) };
    stack = await startStack({
      root: ROOT,
      env,
      dataDir,
      modelDir,
      host: '127.0.0.1',
      port: 0,
      strictPort: false,
      databaseUrl: null,
      queueInDatabase: !redis,
      purpose: 'bench',
      onProgress,
    });
    return { client: new KilnClient(stack.url, stack.credentials.api_key), ...(await readProcesses(dataDir)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readProcesses(dataDir: string): Promise<Pick<BenchStack, 'databaseUrl' | 'pids' | 'allPids'>> {
  const paths = stackPaths(dataDir);
  const record = await readRunRecord(paths.runFile);
  const password = (await readFile(paths.postgresPassword, 'utf8')).trim();
  const pidOf = (name: ServiceName): number => record!.processes.find((process) => process.name === name)!.pid;
  return {
    databaseUrl: `postgresql://kiln:${encodeURIComponent(password)}@127.0.0.1:${record!.postgres_port}/kiln`,
    pids: { api: pidOf('api'), scheduler: pidOf('scheduler'), worker: pidOf('worker') },
    allPids: record!.processes.map(({ pid }) => pid),
  };
}

function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('KILN_')));
}
