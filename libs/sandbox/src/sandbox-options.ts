import { type Config } from '@kiln/contracts';

/** How untrusted code is run, as the configuration says it. */
export type SandboxOptions = Config['sandbox'];

/** Bytes kept of each output stream; a program that writes more is ended. */
export const MAX_OUTPUT_BYTES = 1024 * 1024;

export const MAX_OPEN_FILES = 256;
