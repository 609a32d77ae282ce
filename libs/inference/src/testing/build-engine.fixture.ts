import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** Compiles the library: an engine child is a Node process of its own and cannot run from source. Quick when up to date. */
export async function buildEngine(): Promise<void> {
  await promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'libs/inference'], { cwd: ROOT });
}
