import { type ConfinedProgram, type ConfinedResult } from '@kiln/scoring';
import { spawn } from 'node:child_process';
import { type Readable, type Writable } from 'node:stream';
import { bubblewrapArguments, NOBODY } from './bubblewrap-arguments.js';
import { withoutDescriptors } from './inherited-descriptors.js';
import { limitCommand } from './limit-command.js';
import { collectOutput } from './output-collector.js';
import { type SandboxOptions } from './sandbox-options.js';
import { seccompFilter } from './seccomp-filter.js';
import { feed, type RunEnd, superviseRun } from './supervise-run.js';

/** What the sandbox must know of this machine. */
export interface SandboxHost {
  /** Directories outside /usr that the interpreter needs. */
  readonly readable: readonly string[];
  /** File descriptors that must not reach the sandbox. */
  readonly inherited: readonly number[];
}

/** More is never said on the status pipe. */
const MAX_STATUS_BYTES = 4096;

const FILTER = seccompFilter(process.arch);

// What the child finds behind its file descriptors, from 3 on.
const [ARGUMENTS_FD, STATUS_FD, FILTER_FD, FIRST_FILE_FD] = [3, 4, 5, 6];

/** Runs a program in a bubblewrap sandbox. Rejects only when aborted. */
export async function runBubblewrap(
  program: ConfinedProgram,
  options: SandboxOptions,
  { readable, inherited }: SandboxHost,
  signal: AbortSignal,
): Promise<ConfinedResult> {
  const files = Object.entries(program.files);
  const setup = bubblewrapArguments(
    {
      env: program.env,
      files: files.map(([name], index) => ({ name, fd: FIRST_FILE_FD + index })),
      statusFd: STATUS_FD,
      filterFd: FILTER === null ? null : FILTER_FD,
      readable,
    },
    options,
  );
  const command = [...limitCommand(options, program.timeoutMs, options.max_processes), ...program.argv];
  if ([...setup, ...command].some((argument) => argument.includes('\0'))) return failure('an argument or a variable holds a NUL character');
  let end: RunEnd;
  let status: { text(): string };
  try {
    const child = start(command, files.length, inherited);
    // Through a pipe: the environment may hold an answer, and command lines are readable for everyone on a machine.
    feed(child.stdio[ARGUMENTS_FD] as Writable, `${setup.join('\0')}\0`);
    feed(child.stdio[FILTER_FD] as Writable, FILTER ?? '');
    files.forEach(([, content], index) => feed(child.stdio[FIRST_FILE_FD + index] as Writable, content));
    status = collectOutput(child.stdio[STATUS_FD] as Readable, MAX_STATUS_BYTES, () => undefined);
    const { stdin, timeoutMs } = program;
    end = await superviseRun(child, { stdin, timeoutMs, kill: () => child.kill('SIGKILL'), signal });
  } catch (error) {
    if (signal.aborted) throw error;
    return failure(error instanceof Error ? error.message : String(error));
  }
  const exitCode = end.timedOut || end.outputLimit ? null : exitCodeOf(status.text());
  // Bubblewrap exits with 1 when it could not build the sandbox: only its status says that the program itself came to an end.
  if (exitCode === null && !end.timedOut && !end.outputLimit) return failure(end.stderr.trim().slice(0, 500) || 'bubblewrap was ended');
  return { ok: true, ...end, exitCode, signal: exitCode === null ? 'SIGKILL' : null, confinement: 'bubblewrap' };
}

/**
 * Bubblewrap's first process dies with this one, and all processes of the sandbox with their first one. Its environment is empty,
 * because the sandbox can read it in its /proc. The first to go when the machine is out of memory.
 */
function start(command: readonly string[], files: number, inherited: readonly number[]) {
  // Root becomes nobody first: the kernel does not count the processes of root, and what escapes should own nothing.
  const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const sandbox = ['choom', '-n', '1000', '--', 'bwrap', '--args', String(ARGUMENTS_FD), '--', ...command] as const;
  const [program, ...args] = withoutDescriptors(inherited, sandbox);
  return spawn(program, args, {
    ...identity,
    cwd: '/',
    env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
    stdio: Array.from({ length: FIRST_FILE_FD + files }, () => 'pipe' as const),
  });
}

/** Of `{"child-pid": 2}{"exit-code": 0}`, one object a line: null before the program was started and has ended. */
function exitCodeOf(status: string): number | null {
  const code = /"exit-code":\s*(\d+)/.exec(status)?.[1];
  return code === undefined ? null : Number(code);
}

function failure(message: string): ConfinedResult {
  return { ok: false, code: 'sandbox_failed', message: `the sandbox could not be started: ${message}` };
}
