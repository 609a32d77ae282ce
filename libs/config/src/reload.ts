import { type Config, RELOADABLE } from '@kiln/contracts';

export interface Reload {
  /** `before` with the changes that may be taken over while running. */
  config: Config;
  /** Paths that were taken over. */
  applied: string[];
  /** Paths that differ, but need a restart. */
  needRestart: string[];
}

/** What of `after` a process that runs under `before` takes over; null when nothing differs. */
export function reload(before: Config, after: Config): Reload | null {
  const config = structuredClone(before);
  const applied: string[] = [];
  const needRestart: string[] = [];
  for (const path of differences(before, after)) {
    if (!(RELOADABLE as readonly string[]).includes(path)) {
      needRestart.push(path);
      continue;
    }
    copySetting(after, config, path.split('.'));
    applied.push(path);
  }
  return applied.length + needRestart.length === 0 ? null : { config, applied, needRestart };
}

function differences(before: unknown, after: unknown, path: string[] = []): string[] {
  if (isObject(before) && isObject(after)) {
    return Object.keys(after).flatMap((key) => differences(before[key], after[key], [...path, key]));
  }
  return Object.is(before, after) ? [] : [path.join('.')];
}

function copySetting(from: unknown, to: unknown, path: string[]): void {
  const [key, ...rest] = path;
  if (key === undefined || !isObject(from) || !isObject(to)) return;
  if (rest.length === 0) to[key] = from[key];
  else copySetting(from[key], to[key], rest);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
