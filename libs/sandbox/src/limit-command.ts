import { MAX_OPEN_FILES, type SandboxOptions } from './sandbox-options.js';

/**
 * A command that sets the kernel's limits for itself and then becomes the program. The CPU limit is a second line: wall time ends
 * a run first, unless it keeps several cores busy.
 *
 * @param maxProcesses null where it would count all processes of the user
 */
export function limitCommand(options: SandboxOptions, timeoutMs: number, maxProcesses: number | null): string[] {
  return [
    'prlimit',
    `--as=${options.memory_bytes}`,
    `--cpu=${Math.ceil(timeoutMs / 1000) + 1}`,
    `--fsize=${options.disk_bytes}`,
    `--nofile=${MAX_OPEN_FILES}`,
    '--core=0',
    '--memlock=0',
    '--msgqueue=0',
    ...(maxProcesses === null ? [] : [`--nproc=${maxProcesses}`]),
    '--',
  ];
}
