import { type ConfigSetting, configSettings } from '@kiln/contracts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentSettings {
  /** A nested object in the form of the file, holding only what the environment sets. */
  values: Record<string, unknown>;
  /** Setting path → the variable that set it, for messages. */
  variables: Map<string, string>;
}

/**
 * Settings that the environment makes: `KILN_EVAL_MAX_QUEUED_JOBS` is `eval.max_queued_jobs`. An empty variable is not
 * set (compose files and charts cannot leave one out). Text that is not of the setting's type is passed on as text, so
 * that the schema refuses it with its own words. Other `KILN_…` variables belong to other programs and are left alone.
 */
export function environmentSettings(env: Environment): EnvironmentSettings {
  const values: Record<string, unknown> = {};
  const variables = new Map<string, string>();
  for (const setting of configSettings()) {
    const text = env[setting.variable];
    if (text === undefined || text === '') continue;
    place(values, setting.path.split('.'), read(text, setting.type));
    variables.set(setting.path, setting.variable);
  }
  return { values, variables };
}

function read(text: string, type: ConfigSetting['type']): unknown {
  const trimmed = text.trim();
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  if (type === 'boolean' && /^(true|1)$/i.test(trimmed)) return true;
  if (type === 'boolean' && /^(false|0)$/i.test(trimmed)) return false;
  return text;
}

function place(target: Record<string, unknown>, path: string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const child = (target[key] ??= {}) as Record<string, unknown>;
  place(child, rest, value);
}
