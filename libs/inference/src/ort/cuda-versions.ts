import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { KilnError } from '@kiln/contracts';

/** Libraries that the CUDA provider computes with, under the names that it is linked with. */
const LIBRARIES = ['libcudart.so.12', 'libcublas.so.12', 'libcublasLt.so.12', 'libcudnn.so.9'];

/**
 * Their full versions, as the names of their files give them; null for one that the system's linker does not list.
 * @param list for the answer of `ldconfig -p`. @throws KilnError `internal_error`
 */
export async function cudaVersions(list: () => Promise<string> = ldconfig, resolve = realpath): Promise<Record<string, string | null>> {
  const paths = libraryPaths(await list().catch(refuse));
  const versions: Record<string, string | null> = {};
  for (const name of LIBRARIES) {
    const path = paths.get(name);
    const file = path === undefined ? null : basename(await resolve(path));
    versions[name] = file?.split('.so.')[1] ?? null;
  }
  return versions;
}

async function ldconfig(): Promise<string> {
  const { stdout } = await promisify(execFile)('ldconfig', ['-p']);
  return stdout;
}

function refuse(cause: Error): never {
  throw new KilnError('internal_error', `ldconfig does not tell which CUDA libraries are here: ${cause.message.trim()}`, {
    hint: 'it comes with the C library; the PATH of the worker must have its directory, which is /sbin on most systems',
    cause,
  });
}

/** Of lines such as `libcudnn.so.9 (libc6,x86-64) => /usr/lib/x86_64-linux-gnu/libcudnn.so.9`; the first of a name is the one that is used. */
function libraryPaths(listing: string): Map<string, string> {
  const lines = [...listing.matchAll(/^\s*(\S+) \(.*\) => (\S+)$/gm)];
  return new Map(lines.toReversed().map(([, name, path]) => [name!, path!]));
}
