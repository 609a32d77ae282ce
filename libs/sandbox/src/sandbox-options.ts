/** How untrusted code is run, as the configuration says. */
export interface SandboxOptions {
  /** `process`: without a sandbox. Only an operator who names it gets it. */
  readonly mode: 'bubblewrap' | 'process';
  /** What `python3` means; null = the system's own. */
  readonly python: string | null;
  /** Address space of one process. */
  readonly memoryBytes: number;
  /** Processes and threads of one run, alive at a time. */
  readonly maxProcesses: number;
  /** Everything that one run may have written at a time. */
  readonly diskBytes: number;
}

/** Bytes kept of each output stream; a program that writes more is ended. */
export const MAX_OUTPUT_BYTES = 1024 * 1024;

export const MAX_OPEN_FILES = 256;
