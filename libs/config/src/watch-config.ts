import { readFileSync } from 'node:fs';
import { type Config } from '@kiln/contracts';
import { locateConfigFile } from './config-file.js';
import { type ConfigSources, loadConfig } from './load-config.js';
import { type Reload, reload } from './reload.js';

export interface ConfigWatchOptions extends ConfigSources {
  /** The settings that the process started with. */
  started: Config;
  /** Called with what changed, after `current()` answers the new settings. */
  onReload: (reload: Reload) => void;
  /** Called when the changed file cannot be used; the settings in force stay. */
  onError: (error: unknown) => void;
  /** How often the file is looked at. Default 1000. */
  intervalMs?: number;
}

export interface ConfigWatch {
  /** The settings in force. */
  current(): Config;
  close(): void;
}

/**
 * Takes over changes of the settings file while the process runs, as far as they may change then. Without a file
 * nothing is watched. The text itself is looked at, once per interval: change events miss the symbolic links that
 * Kubernetes swaps under a mounted ConfigMap, and file times miss a change made before the first look.
 */
export function watchConfig(options: ConfigWatchOptions): ConfigWatch {
  const { started, onReload, onError, intervalMs = 1000, ...sources } = options;
  const file = locateConfigFile(sources.file, sources.env ?? process.env, sources.directory ?? process.cwd());
  let config = started;
  let seen: string | null | undefined;
  const look = (path: string): void => {
    const text = textOf(path);
    if (text === seen) return;
    seen = text;
    try {
      const change = reload(config, loadConfig({ ...sources, file: path }));
      if (!change) return;
      config = change.config;
      onReload(change);
    } catch (error) {
      onError(error);
    }
  };
  const timer = file === null ? undefined : setInterval(() => look(file), intervalMs).unref();
  return { current: () => config, close: () => clearInterval(timer) };
}

/** What the file holds, null while it cannot be read: each state is reported once. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
