import path from 'node:path';
import type { ServiceSpec } from './service-process.js';

export interface ServiceSettings {
  /** The repository: holds `apps`. */
  readonly root: string;
  /** Environment of the starting process; the services inherit it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly databaseUrl: string;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly modelDir: string;
  /** The model of requests that name none; null = the only one there is. */
  readonly defaultModel?: string | null;
}

/** The three services of one machine, in the order in which they start; they stop in the reverse order. */
export function serviceSpecs(settings: ServiceSettings): ServiceSpec[] {
  const env = {
    ...settings.env,
    KILN_DATABASE_URL: settings.databaseUrl,
    KILN_HOST: settings.host,
    KILN_PORT: String(settings.port),
    KILN_DATA_DIR: settings.dataDir,
    KILN_MODEL_DIR: settings.modelDir,
    ...(settings.defaultModel == null ? {} : { KILN_DEFAULT_MODEL: settings.defaultModel }),
  };
  const service = (name: string, stopMs: number): ServiceSpec => ({
    name,
    entry: path.join(settings.root, 'apps', name, 'dist', 'main.js'),
    env,
    cwd: settings.root,
    stopMs,
  });
  // The worker finishes or gives back what it holds; the others have nothing to lose.
  return [service('api', 5000), service('scheduler', 5000), service('worker', 15_000)];
}
