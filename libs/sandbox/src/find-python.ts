import { execFile } from 'node:child_process';
import { access, constants, realpath } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface PythonInterpreter {
  /** Absolute, no shim. */
  readonly executable: string;
  /** Directories outside /usr that it needs. */
  readonly readable: readonly string[];
}

const SYSTEM = ['/usr/bin/python3', '/usr/local/bin/python3'];
const WHERE = 'import sys; print(sys.executable); print(sys.base_prefix); print(sys.base_exec_prefix); print(sys.prefix)';

/**
 * The interpreter that `python3` stands for: the one that was named, else the system's, else what the search path finds. A shim
 * (pyenv) or a virtual environment is asked for the interpreter behind it, because the sandbox holds nothing else.
 *
 * @param named a path or a name on the search path
 * @returns null when there is none
 */
export async function findPython(named: string | null): Promise<PythonInterpreter | null> {
  for (const path of named === null ? SYSTEM : []) {
    if (await isExecutable(path)) return { executable: path, readable: [] };
  }
  try {
    const { stdout } = await promisify(execFile)(named ?? 'python3', ['-I', '-S', '-c', WHERE], { timeout: 10_000 });
    const [executable = '', ...prefixes] = stdout.split('\n').filter((line) => line !== '');
    const folders = await Promise.all(prefixes.map((prefix) => realpath(prefix)));
    const readable = [...new Set(folders)].filter((folder) => folder !== '/' && folder !== '/usr' && !folder.startsWith('/usr/'));
    return executable === '' ? null : { executable: await realpath(executable), readable };
  } catch {
    return null;
  }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
