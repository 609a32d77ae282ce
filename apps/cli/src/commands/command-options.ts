import type { Command } from 'commander';

/** Options of every command that talks to a server. */
export interface ServerFlags {
  readonly server?: string;
  readonly json?: boolean;
}

export function withServerFlags(command: Command): Command {
  return command
    .option('--server <url>', 'the server; default: KILN_SERVER_URL, else the one of ./kiln up')
    .option('--json', 'print only JSON on standard output');
}

/** Text for the end of a command's help. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}
