import { Config, KilnError, parseWith } from '@kiln/contracts';
import { locateConfigFile, readConfigFile } from './config-file.js';
import { type Environment, environmentSettings } from './environment-settings.js';

export interface ConfigSources {
  /** Path of the settings file; default: `KILN_CONFIG`, then kiln.yaml, kiln.yml or kiln.json in `directory`. */
  file?: string;
  /** Default: the environment of this process. */
  env?: Environment;
  /** Where relative paths start and the default file is looked for. Default: the working directory. */
  directory?: string;
}

/**
 * The settings of this process: the environment over the file over defaults.
 * @throws {KilnError} that names the variable, or the file and the field, and says what would be right.
 */
export function loadConfig(sources: ConfigSources = {}): Config {
  const env = sources.env ?? process.env;
  const file = locateConfigFile(sources.file, env, sources.directory ?? process.cwd());
  const written = file === null ? {} : readConfigFile(file);
  const { values, variables } = environmentSettings(env);
  try {
    return parseWith(Config, merge(written, values), 'configuration');
  } catch (error) {
    if (!(error instanceof KilnError)) throw error;
    throw located(error, file, variables);
  }
}

/** `error` with the place where the wrong setting was written. */
function located(error: KilnError, file: string | null, variables: ReadonlyMap<string, string>): KilnError {
  const variable = error.path === null ? undefined : variables.get(error.path);
  const place = variable ?? file ?? 'configuration';
  const message = variable === undefined ? error.message : error.message.replace(`${error.path}: `, '');
  return new KilnError(error.code, `${place}: ${message}`, {
    ...(error.path === null ? {} : { path: error.path }),
    hint: hint(variable, message) ?? 'Correct it and start again; docs/configuration.md lists every setting.',
  });
}

/** Kubernetes gives every pod `KILN_PORT=tcp://…` when a Service is named "kiln". */
function hint(variable: string | undefined, message: string): string | null {
  if (variable === undefined || !message.includes('tcp://')) return null;
  return `Kubernetes sets ${variable} for a Service of that name; set enableServiceLinks: false in the pod.`;
}

function merge(under: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const result = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = result[key];
    result[key] = isObject(below) && isObject(value) ? merge(below, value) : value;
  }
  return result;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
