import path from 'node:path';
import { EXIT } from './exit-code.js';
import { ApiClient } from './client/api-client.js';
import { locateServer } from './client/locate-server.js';
import { safeJson, safeJsonLine } from './terminal/safe-text.js';
import { type Style, chooseStyle } from './terminal/style.js';

/** Where text goes; a terminal, a file or a pipe. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface CliSurroundings {
  /** The repository: holds `apps`, `models`, `suites` and `.kiln`. */
  readonly root: string;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
}

/** What every command has: where to print, which server, and the exit code that it will end with. */
export class CliContext {
  /** One of EXIT, or 128 and the number of the signal that ended the command. */
  exitCode: number = EXIT.ok;
  readonly style: Style;

  constructor(readonly surroundings: CliSurroundings) {
    this.style = chooseStyle(surroundings.stdout.isTTY === true, surroundings.env);
  }

  get root(): string {
    return this.surroundings.root;
  }

  get env(): CliSurroundings['env'] {
    return this.surroundings.env;
  }

  /** The folder of this machine's stack. */
  get dataDir(): string {
    return path.resolve(this.root, this.env['KILN_DATA_DIR'] || '.kiln');
  }

  /** Prints a result. */
  print(...lines: string[]): void {
    this.surroundings.stdout.write(`${lines.join('\n')}\n`);
  }

  printJson(value: unknown): void {
    this.surroundings.stdout.write(`${safeJson(value)}\n`);
  }

  /** Prints one of several results: a line of JSON. */
  printJsonLine(value: unknown): void {
    this.surroundings.stdout.write(`${safeJsonLine(value)}\n`);
  }

  /** Says what goes on, beside the result. */
  note(line: string): void {
    this.surroundings.stderr.write(`${line}\n`);
  }

  async client(options: { server?: string | undefined }): Promise<ApiClient> {
    const { server, apiKey } = await locateServer({ asked: options.server, env: this.env, dataDir: this.dataDir });
    return new ApiClient(server, apiKey);
  }
}
