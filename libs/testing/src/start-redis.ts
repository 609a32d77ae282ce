import { connect } from 'node:net';
import { freePort } from '@kiln/local-postgres';
import { scratchFolder } from './process-guard.js';
import { requireProgram } from './require-program.js';
import { startServerProcess, type ServerProcess } from './server-process.js';

export interface RedisOptions {
  /** Keep data over a restart (append-only file, fsync every second). Default false: a restart loses everything. */
  appendOnly?: boolean;
  /** Default `noeviction`, the only policy under which a queue is safe. */
  evictionPolicy?: string;
}

/** Starts a real Redis on a free port. Ends with the test process; call `stop` when done with it. */
export async function startRedis(options: RedisOptions = {}): Promise<TestRedis> {
  const program = requireProgram('redis-server');
  if (program === null)
    throw new Error('redis-server is not installed: skip this test with describe.skipIf(requireProgram("redis-server") === null)');
  const folder = scratchFolder('redis');
  const { appendOnly = false, evictionPolicy = 'noeviction' } = options;
  const settings = [
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    appendOnly ? 'yes' : 'no',
    '--maxmemory-policy',
    evictionPolicy,
  ];
  const redis = new TestRedis(program, settings);
  await redis.start();
  return redis;
}

export class TestRedis {
  readonly #program: string;
  readonly #settings: string[];
  #process: ServerProcess | null = null;
  #port = 0;

  constructor(program: string, settings: string[]) {
    this.#program = program;
    this.#settings = settings;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Starts a stopped server on the port it had before. */
  async start(): Promise<void> {
    if (this.#process !== null && !this.#process.hasEnded) return;
    for (let attempt = 1; ; attempt += 1) {
      const port = this.#port === 0 ? await freePort() : this.#port;
      try {
        this.#process = await startServerProcess({
          file: this.#program,
          args: ['--port', String(port), ...this.#settings],
          readyText: 'Ready to accept connections',
        });
        this.#port = port;
        return;
      } catch (error) {
        if (attempt === 3) throw error;
      }
    }
  }

  async stop(mode: 'shutdown' | 'crash' = 'shutdown'): Promise<void> {
    await this.#process?.end(mode === 'crash' ? 'SIGKILL' : 'SIGTERM');
    this.#process = null;
  }

  async restart(mode: 'shutdown' | 'crash' = 'shutdown'): Promise<void> {
    await this.stop(mode);
    await this.start();
  }

  /** Forgets everything, as a lost volume would. */
  async flushAll(): Promise<void> {
    await this.command('FLUSHALL');
  }

  /** Sends one inline command and returns the raw reply (RESP text). */
  command(line: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.#port, '127.0.0.1', () => socket.write(`${line}\r\nQUIT\r\n`));
      let reply = '';
      socket.setEncoding('utf8');
      socket.on('data', (text: string) => (reply += text));
      socket.on('error', reject);
      socket.on('close', () => {
        const answer = reply.replace(/\+OK\r\n$/, '');
        if (answer.startsWith('-')) reject(new Error(answer.trim()));
        else resolve(answer);
      });
    });
  }
}
