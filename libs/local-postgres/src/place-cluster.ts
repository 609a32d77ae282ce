import { chmod, cp, mkdir, mkdtemp, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { type PostgresBinaries, binariesUnder } from './locate-binaries.js';
import { type Account, type Privileges, invocation } from './privileges.js';
import { runProgram } from './run-program.js';

/** Where a cluster's programs and data really are. */
export interface Placement {
  readonly binaries: PostgresBinaries;
  readonly dataDir: string;
}

/** Where root keeps what another account must reach; every account may pass through it, none may list it. */
export const RELOCATION_ROOT = '/var/lib/kiln-fleet';

/**
 * Makes sure that the account which runs Postgres can reach its programs and data. Below a 0700 home of root another
 * account can do neither; then the programs are copied, and the data is kept, under `relocationRoot`, with a symbolic
 * link where the data should have been. Other privileges need nothing moved.
 */
export async function placeCluster(
  privileges: Privileges,
  dataDir: string,
  binaries: PostgresBinaries,
  relocationRoot = RELOCATION_ROOT,
): Promise<Placement> {
  await mkdir(path.dirname(dataDir), { recursive: true });
  if (privileges.kind !== 'user') return { binaries, dataDir };
  const probe = await runProgram(invocation(privileges, binaries.initdb, ['--version']), 10_000);
  return {
    binaries: probe.ok ? binaries : await relocateBinaries(binaries, relocationRoot),
    dataDir: await relocateData(privileges.account, dataDir, relocationRoot),
  };
}

async function relocateBinaries(binaries: PostgresBinaries, relocationRoot: string): Promise<PostgresBinaries> {
  const root = path.join(relocationRoot, `postgres-${binaries.version}-${process.arch}`);
  if (!(await exists(root))) {
    await mkdirPassable(relocationRoot);
    // Copy beside and rename: a copy that was cut short must never be taken for a whole one.
    const partial = `${root}.partial-${process.pid}`;
    await cp(binaries.root, partial, { recursive: true, verbatimSymlinks: true });
    await rename(partial, root).catch(async (error: unknown) => {
      await rm(partial, { recursive: true, force: true });
      if (!(await exists(root))) throw error;
    });
  }
  return binariesUnder(root, binaries.version);
}

async function relocateData(account: Account, dataDir: string, relocationRoot: string): Promise<string> {
  const link = await readlink(dataDir).catch(() => null);
  if (link !== null) return link;
  const parent = path.dirname(dataDir);
  const enter = await runProgram({ file: '/bin/sh', args: ['-c', 'cd "$1"', 'sh', parent], ...account }, 10_000);
  if (enter.ok) return dataDir;
  if (await exists(dataDir)) return dataDir; // The start fails and says why; moving somebody's data is not ours to do.
  await mkdirPassable(relocationRoot);
  // A random name: a later checkout at the same path must not meet the data, and password, of an earlier one.
  const home = await mkdtemp(path.join(relocationRoot, 'cluster-'));
  await mkdirPassable(home);
  const moved = path.join(home, 'data');
  await symlink(moved, dataDir);
  return moved;
}

async function mkdirPassable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o711);
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => null)) !== null;
}
