import { type SandboxOptions } from './sandbox-options.js';

/** The one place where a program can write; gone with the program. */
const SCRATCH = '/tmp';
export const WORK_DIRECTORY = '/tmp/work';

/** Nobody, inside and, where the worker is root, outside too. */
export const NOBODY = 65_534;

/** What differs from run to run. */
export interface BubblewrapRun {
  readonly env: Readonly<Record<string, string>>;
  /** File descriptors that hold the contents of the files in the work directory. */
  readonly files: readonly { readonly name: string; readonly fd: number }[];
  readonly statusFd: number;
  /** null where no system call filter is known for the processor. */
  readonly filterFd: number | null;
  /** Directories outside /usr that the interpreter needs. */
  readonly readable: readonly string[];
}

/**
 * The options of `bwrap`: all namespaces of its own (so no network, and nobody else's processes), a root that holds /usr and
 * nothing of the host besides, one bounded tmpfs to write to, no capabilities, an empty environment.
 */
export function bubblewrapArguments(run: BubblewrapRun, options: SandboxOptions): string[] {
  const id = String(NOBODY);
  return [
    ['--unshare-all', '--unshare-user', '--disable-userns', '--uid', id, '--gid', id, '--hostname', 'sandbox'],
    ['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ['--ro-bind', '/usr', '/usr'],
    ...['bin', 'sbin', 'lib', 'lib32', 'lib64'].map((name) => ['--ro-bind-try', `/${name}`, `/${name}`]),
    // The linker's index, and what names such as awk stand for.
    ...['/etc/ld.so.cache', '/etc/alternatives'].map((path) => ['--ro-bind-try', path, path]),
    ...run.readable.map((path) => ['--ro-bind', path, path]),
    ['--proc', '/proc', '--dev', '/dev'],
    ['--size', String(options.disk_bytes), '--tmpfs', SCRATCH, '--dir', WORK_DIRECTORY],
    // For semaphores. Without a bound of its own it would take half of the machine's memory.
    ['--size', '1048576', '--tmpfs', '/dev/shm'],
    ...run.files.map(({ name, fd }) => ['--file', String(fd), `${WORK_DIRECTORY}/${name}`]),
    ['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', WORK_DIRECTORY],
    ['--clearenv'],
    ...environment(run.env).map(([name, value]) => ['--setenv', name, value]),
    ['--json-status-fd', String(run.statusFd)],
    run.filterFd === null ? [] : ['--seccomp', String(run.filterFd)],
  ].flat();
}

function environment(added: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries({ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: WORK_DIRECTORY, TMPDIR: SCRATCH, LANG: 'C.UTF-8', ...added });
}
