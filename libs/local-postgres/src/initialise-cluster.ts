import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KilnError } from '@kiln/contracts';
import type { PostgresBinaries } from './locate-binaries.js';
import { type Privileges, invocation } from './privileges.js';
import { runProgram } from './run-program.js';

/** The superuser of every local cluster. */
export const SUPERUSER = 'kiln';

/**
 * Creates the cluster unless it exists. The caller holds the lock of the folder.
 *
 * Text is UTF-8 in the C locale of Postgres itself, so that sorting does not depend on what the machine has installed.
 *
 * @throws KilnError `internal_error` when the cluster is of another major version, or initdb fails
 */
export async function initialiseCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  privileges: Privileges,
  options: { readonly password: string; readonly sync: boolean },
): Promise<void> {
  const have = await readFile(path.join(dataDir, 'PG_VERSION'), 'utf8').catch(() => null);
  if (have !== null) return requireSameMajor(dataDir, have.trim(), binaries.version);

  // Made beside and renamed when whole: a start that was killed in the middle leaves nothing that looks like a cluster.
  const partial = `${dataDir}.partial`;
  const passwordFile = `${dataDir}.password`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { mode: 0o700 });
  await writeFile(passwordFile, `${options.password}\n`, { mode: 0o600 });
  try {
    if (privileges.kind === 'user') {
      const { uid, gid } = privileges.account;
      await Promise.all([partial, passwordFile].map((file) => chown(file, uid, gid)));
    }
    const { ok, output } = await runProgram(
      invocation(privileges, binaries.initdb, [
        `--pgdata=${partial}`,
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--no-locale',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        ...(options.sync ? [] : ['--no-sync']),
      ]),
    );
    if (!ok) throw new KilnError('internal_error', `creating the database in ${dataDir} failed: ${output.trim()}`);
    await rename(partial, dataDir);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(partial, { recursive: true, force: true });
  }
}

function requireSameMajor(dataDir: string, have: string, version: string): void {
  const want = version.split('.')[0] ?? '';
  if (have === want) return;
  throw new KilnError('internal_error', `the database in ${dataDir} is of Postgres ${have}, but Postgres ${want} is installed`, {
    hint: 'dump it with the older version of kiln, or move the .kiln folder away to begin with an empty database',
  });
}
