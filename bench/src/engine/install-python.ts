import { execFile } from 'node:child_process';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const CACHE = path.join(process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache'), 'kiln-bench');
const INSTALL_MS = 20 * 60_000;

/** Programs in Python, by the packages that they need. PyTorch from PyPI brings several GB of CUDA libraries on Linux x64. */
export const PYTHON_PACKAGES = {
  genai: ['onnxruntime-genai==0.18.0'],
  pytorch: ['torch==2.15.0', 'transformers==5.24.0'],
} as const;

export type PythonProgram = keyof typeof PYTHON_PACKAGES;

/**
 * A virtual environment outside of the repository with a program's packages, made the first time.
 *
 * @returns its Python, or why there is none
 */
export async function installPython(
  program: PythonProgram,
  onProgress: (line: string) => void,
): Promise<{ python: string } | { reason: string }> {
  const packages = PYTHON_PACKAGES[program];
  const folder = path.join(CACHE, packages.join(',').replaceAll('==', '-'));
  const python = path.join(folder, 'bin', 'python');
  try {
    await access(python);
    return { python };
  } catch {
    // Not there yet.
  }
  // A folder that bears the name is complete.
  const unfinished = `${folder}.${process.pid}`;
  onProgress(`installing ${packages.join(', ')} into ${folder}`);
  try {
    await mkdir(CACHE, { recursive: true });
    await run('python3', ['-m', 'venv', unfinished]);
    await run(path.join(unfinished, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
    await rename(unfinished, folder);
    return { python };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    const { stderr, message } = error as Error & { stderr?: string };
    const lastLine = (stderr ?? '').trim().split('\n').at(-1);
    return { reason: `${packages.join(', ')} cannot be installed: ${lastLine || message}` };
  }
}

async function run(command: string, args: string[]): Promise<void> {
  await promisify(execFile)(command, args, { timeout: INSTALL_MS, maxBuffer: 64 * 2 ** 20 });
}
