import path from 'node:path';
import { loadConfig } from '@kiln/config';
import type { StackOptions } from '@kiln/stack';
import type { CliContext } from '../cli-context.js';
import { DEMO_MODEL } from '../demo/demo-plan.js';
import { DEFAULT_PORT } from '../client/locate-server.js';

/**
 * What `up` and `demo` start, from kiln.yaml and the environment. Relative paths start at the repository, whatever the
 * working folder is.
 * @param port  `--port`; null = the configured one
 * @throws KilnError when the configuration is wrong
 */
export function stackSettings(context: CliContext, port: number | null): Omit<StackOptions, 'purpose' | 'onProgress' | 'signal'> {
  const { root, env } = context;
  const config = loadConfig({ env, directory: root });
  const modelDir = path.resolve(root, config.model_dir);
  return {
    root,
    env,
    dataDir: path.resolve(root, config.data_dir),
    modelDir,
    // Several models come with the repository; its own commands mean the first one.
    defaultModel: config.default_model ?? (modelDir === path.join(root, 'models') ? DEMO_MODEL : null),
    host: config.host,
    port: port ?? config.port,
    // Only who named a port cares about which it is.
    strictPort: port !== null || config.port !== DEFAULT_PORT || (env['KILN_PORT'] ?? '') !== '',
    databaseUrl: config.database_url,
    queueInDatabase: config.redis_url === null || config.queue.backend === 'postgres',
  };
}
