import { type ConfinedProgram, type ConfinedResult } from '@kiln/scoring';
import { readdirSync, readFileSync } from 'node:fs';
import { type Sandbox } from './create-sandbox.js';
import { type SandboxOptions } from './sandbox-options.js';

const MIB = 1024 * 1024;

export const OPTIONS: SandboxOptions = {
  mode: 'bubblewrap',
  python: null,
  memory_bytes: 256 * MIB,
  max_processes: 16,
  disk_bytes: 8 * MIB,
};

export type Ran = Extract<ConfinedResult, { ok: true }>;

/** What came of a program that could be started; another end of it throws. */
export async function ranIn(sandbox: Sandbox, argv: ConfinedProgram['argv'], rest: Partial<ConfinedProgram> = {}): Promise<Ran> {
  const result = await sandbox.runConfined(
    { argv, files: {}, stdin: '', env: {}, timeoutMs: 20_000, ...rest },
    new AbortController().signal,
  );
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return result;
}

/** Runs Python source; what it printed, line by line. */
export async function pythonLines(sandbox: Sandbox, source: string, rest: Partial<ConfinedProgram> = {}): Promise<string[]> {
  const { stdout, stderr, exitCode } = await ranIn(sandbox, ['python3', '-I', '-S', '-c', source], rest);
  if (exitCode !== 0) throw new Error(`python ended with ${exitCode}: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
}

/** Processes of this machine whose command line holds `mark`: one that a sandbox left behind is seen from outside. */
export function processesWith(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(mark) && !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ')
        );
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Whether no such process is left; a killed one needs a moment to go. */
export async function allGone(mark: string): Promise<boolean> {
  for (const deadline = Date.now() + 2_000; Date.now() < deadline;) {
    if (processesWith(mark).length === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
