import { type ConfinedProgram, type ConfinedResult } from '@kiln/scoring';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitCommand } from './limit-command.js';
import { type SandboxOptions } from './sandbox-options.js';
import { superviseRun } from './supervise-run.js';

const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin';

/**
 * Runs a program as a plain process in an empty directory: it can read and write what this process can, and reach the network.
 * Time, output and, where Linux's prlimit is there, memory are still limited. Rejects only when aborted.
 */
export async function runProcess(
  program: ConfinedProgram,
  options: SandboxOptions,
  limited: boolean,
  signal: AbortSignal,
): Promise<ConfinedResult> {
  let directory: string | undefined;
  try {
    directory = await mkdtemp(join(tmpdir(), 'kiln-code-'));
    for (const [name, content] of Object.entries(program.files)) await writeFile(join(directory, name), content);
    const [command = '', ...args] = [...(limited ? limitCommand(options, program.timeoutMs, null) : []), ...program.argv];
    const env = { PATH, HOME: directory, TMPDIR: directory, LANG: 'C.UTF-8', ...program.env };
    const child = spawn(command, args, { cwd: directory, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    const { stdin, timeoutMs } = program;
    const end = await superviseRun(child, { stdin, timeoutMs, kill: () => killGroup(child.pid), signal });
    return { ok: true, ...end, confinement: 'process' };
  } catch (error) {
    if (signal.aborted) throw error;
    const message = `the program could not be started: ${error instanceof Error ? error.message : String(error)}`;
    return { ok: false, code: 'sandbox_failed', message };
  } finally {
    if (directory !== undefined) await rm(directory, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

/** A `detached` child leads a group of its own. What left the group is out of reach: that takes a sandbox. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All gone.
  }
}
