import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import { type CompletionRequest } from './completion-request.js';
import { type Contender } from './contender.js';
import { type Times } from './stopwatch.js';

export interface ProgramOptions {
  name: string;
  command: string;
  args: readonly string[];
  /** What each token writes, to compare answers as bytes. */
  tokenBytes: readonly (Uint8Array | undefined)[];
}

interface Answer {
  tokens: number[][];
  cpu_s: number;
  wall_s: number;
}

/**
 * A contender in a program of its own. It loads its model, says `{"ready": …}`, and then answers each line `{"prompts": [[ids]],
 * "max_tokens": [n], "rows": n}` with `{"tokens": [[ids]], "cpu_s": n, "wall_s": n}`: the times of all its threads and children,
 * measured by itself around the generating alone.
 */
export class ProgramContender implements Contender {
  readonly name: string;
  /** What it says of itself: versions. */
  readonly version: string;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #options: ProgramOptions;

  private constructor(options: ProgramOptions, child: ChildProcess, lines: AsyncIterator<string>, version: string) {
    this.name = options.name;
    this.version = version;
    this.#options = options;
    this.#child = child;
    this.#lines = lines;
  }

  /** @throws Error when the program ends before it is ready */
  static async open(options: ProgramOptions): Promise<ProgramContender> {
    const child = spawn(options.command, options.args, { stdio: ['pipe', 'pipe', 'inherit'], env: environment() });
    // A program that ended has closed its input; that shows where its answer is awaited.
    child.stdin!.on('error', () => {});
    const lines = linesOf(createInterface({ input: child.stdout! }), child, options.name);
    const { ready } = (await nextOf(lines, options.name)) as { ready: string };
    return new ProgramContender(options, child, lines, ready);
  }

  async generate(requests: readonly CompletionRequest[], rows: number): Promise<{ answers: string[]; times: Times }> {
    const call = { prompts: requests.map(({ prompt }) => prompt.tokens), max_tokens: requests.map(({ maxTokens }) => maxTokens), rows };
    this.#child.stdin!.write(`${JSON.stringify(call)}\n`);
    const { tokens, cpu_s: cpuS, wall_s: wallS } = (await nextOf(this.#lines, this.name)) as Answer;
    const answers = requests.map(({ maxTokens }, index) => {
      const answer = tokens[index] ?? [];
      if (answer.length !== maxTokens) throw new Error(`${this.name} wrote ${answer.length} tokens, not ${maxTokens}`);
      return Buffer.concat(answer.map((token) => this.#options.tokenBytes[token] ?? new Uint8Array())).toString('latin1');
    });
    return { answers, times: { cpuS, wallS } };
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    // Its loop ends with its input; a library that keeps it alive does not hold up the benchmark.
    this.#child.stdin!.end();
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(kill);
  }
}

async function nextOf(lines: AsyncIterator<string>, name: string): Promise<unknown> {
  const { value, done } = await lines.next();
  if (done === true) throw new Error(`${name} ended before it answered; its standard error says why`);
  return JSON.parse(value) as unknown;
}

/** Lines as they come. Ends with the program, also when that could not be started. */
function linesOf(input: Interface, child: ChildProcess, name: string): AsyncIterator<string> {
  child.once('error', (error) => {
    process.stderr.write(`${name}: ${error.message}\n`);
    input.close();
  });
  return input[Symbol.asyncIterator]();
}

/** One thread, nothing from the network, and no compiled files in the repository. */
function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PYTHONDONTWRITEBYTECODE: '1',
    OMP_NUM_THREADS: '1',
    MKL_NUM_THREADS: '1',
    TOKENIZERS_PARALLELISM: 'false',
    HF_HUB_OFFLINE: '1',
  };
}
