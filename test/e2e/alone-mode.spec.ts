import { guardChild } from '@kiln/testing';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = join(ROOT, 'apps/cli/dist/main.js');
const TEST_MS = 180_000;

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

describe('one machine: kiln up, the commands, and kiln demo', () => {
  let folder: string;
  let up: Running;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kiln-alone-'));
    chmodSync(folder, 0o700);
    up = start('up');
    await up.says('kiln is up at');
  }, TEST_MS);

  afterAll(async () => {
    await kiln('down');
    rmSync(folder, { recursive: true, force: true });
  }, TEST_MS);

  function start(...args: string[]): Running {
    // A port of its own: another kiln may run on this machine.
    const env = {
      ...process.env,
      KILN_DATA_DIR: join(folder, '.kiln'),
      KILN_SERVER_URL: '',
      KILN_API_KEY: '',
      KILN_PORT: '0',
      NO_COLOR: '1',
    };
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'] });
    guardChild(child);
    return new Running(child);
  }

  const kiln = (...args: string[]): Promise<Ended> => start(...args).end;

  async function json<T>(...args: string[]): Promise<T> {
    const { out, err } = await kiln(...args, '--json');
    if (out === '') throw new Error(`no output: ${err}`);
    return JSON.parse(out) as T;
  }

  it('keeps its key to itself, and shows it once', () => {
    const file = join(folder, '.kiln/credentials');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { api_key: key } = JSON.parse(readFileSync(file, 'utf8')) as { api_key: string };
    expect(up.out).toContain(key);
  });

  it('runs once: a second start says who runs and where', async () => {
    const { url, pid } = await json<{ url: string; pid: number }>('status');
    const second = await kiln('up');
    expect(second.code).toBe(1);
    expect(second.err).toContain(`kiln already runs at ${url}: process ${pid} (kiln up)`);
  });

  it('has the built-in suite from the start', async () => {
    const { suites } = await json<{ suites: { name: string; num_examples: number }[] }>('eval', 'list');
    expect(suites.map(({ name, num_examples }) => [name, num_examples])).toEqual([['qwen3.5-agentic-core', 24]]);
  });

  it('compares the model with its adapters while it runs, and goes on running', { timeout: TEST_MS }, async () => {
    const { url } = await json<{ url: string }>('status');
    const { code, out, err } = await kiln('demo');
    expect(err).toContain(`using the server that runs at ${url}`);
    expect(code).toBe(0);
    expect(out).toMatch(/math-v2 against .*[^]*KEPT by paired_wilson_v1/);
    expect(out).toMatch(/add-only-v1 against .*[^]*INCONCLUSIVE by paired_wilson_v1/);
    expect(out).toMatch(/chat-overfit-v1 against .*[^]*REGRESSION by paired_wilson_v1/);
    for (const part of ['95 %', 'sign test', 'permutation', 'flips', 'cost $0', 'tokens', 'Next:', url]) expect(out).toContain(part);
    expect((await kiln('status')).code).toBe(0);
  });

  it('answers the verbs, with exit codes that mean something', { timeout: TEST_MS }, async () => {
    const listed = await json<{ suites: { name: string }[] }>('eval', 'list');
    expect(listed.suites.map(({ name }) => name)).toContain('arithmetic-200');
    expect(await kiln('eval', 'register', '--file', join(ROOT, 'suites/math-smoke.json'))).toMatchObject({ code: 1 });
    expect(await kiln('eval', 'register', '--file', join(ROOT, 'suites/math-smoke.json'), '--force')).toMatchObject({ code: 0 });

    const probe = await kiln('eval', 'probe', '--prompt', '47 + 138?', '--target', '185', '--scorer', 'numeric');
    expect(probe).toMatchObject({ code: 0, out: expect.stringContaining('pass (score 1)') as unknown });

    const failed = ['eval', 'compare', '--suite', 'arithmetic-200', '--adapter', '', '--adapter', 'add-only-v1', '--watch', '--seed', '42'];
    expect((await kiln(...failed, '--min-accuracy', '0.9')).code).toBe(6);
    expect((await kiln(...failed, '--min-accuracy', '0.1')).code).toBe(5);

    const capped = await kiln('eval', 'run', '--suite', 'arithmetic-200', '--token-cap', '100', '--watch');
    expect(capped).toMatchObject({ code: 7, out: expect.stringContaining('stopped by token_cap') as unknown });

    expect((await kiln('eval', 'show', 'no-such-job')).code).toBe(4);
    expect((await kiln('eval', 'run', '--suite', 'no-such-suite')).code).toBe(4);
    const { jobs } = await json<{ jobs: { id: string; state: string }[] }>('eval', 'jobs', '--state', 'capped');
    const shown = await json<{ job: { stop_reason: string } }>('eval', 'show', jobs[0]?.id ?? '');
    expect(shown.job.stop_reason).toBe('token_cap');
    expect(await kiln('eval', 'cancel', jobs[0]?.id ?? '')).toMatchObject({ code: 0, out: expect.stringMatching(/^unchanged/) as unknown });
  });

  it('makes and revokes keys', async () => {
    const made = await json<{ key: { id: string }; secret: string }>('keys', 'create', '--name', 'reader', '--scope', 'eval:read');
    const { url } = await json<{ url: string }>('status');
    const asReader = () => fetch(`${url}/v1/eval/suites`, { headers: { authorization: `Bearer ${made.secret}` } });
    expect((await asReader()).status).toBe(200);
    expect((await kiln('keys', 'revoke', made.key.id)).code).toBe(0);
    expect((await asReader()).status).toBe(401);
    expect((await kiln('keys', 'list')).out).toMatch(/reader .* revoked/);
  });

  it('comes back after it was killed, with everything it knew', { timeout: TEST_MS }, async () => {
    const before = await json<{ jobs: unknown[] }>('eval', 'jobs');
    up.child.kill('SIGKILL');
    await up.end;
    up = start('up');
    await up.says('kiln is up at');
    expect(up.err).toMatch(/ended what an earlier start had left running: .*postgres/);
    expect(up.out).not.toContain('shown this once');
    expect((await json<{ jobs: unknown[] }>('eval', 'jobs')).jobs).toHaveLength(before.jobs.length);
  });

  it('stops on kiln down, and leaves no process', { timeout: TEST_MS }, async () => {
    const { processes } = await json<{ processes: { pid: number }[] }>('status');
    expect(processes).toHaveLength(4);
    expect(await kiln('down')).toMatchObject({ code: 0, out: expect.stringContaining('stopped') as unknown });
    expect(await up.end).toMatchObject({ code: 0 });
    expect(processesIn(folder)).toEqual([]);
    expect((await kiln('status')).code).toBe(3);
    expect((await kiln('eval', 'list')).code).toBe(3);
  });

  it('runs the demo by itself, and stops what it started', { timeout: TEST_MS }, async () => {
    const { code, out } = await kiln('demo');
    expect(code).toBe(0);
    expect(out).toContain('./kiln up starts it again with these results');
    expect(processesIn(folder)).toEqual([]);
  });

  it('ends a demo on Ctrl-C without leaving a process', { timeout: TEST_MS }, async () => {
    const demo = start('demo');
    await demo.says('comparing tiny-arith');
    const stoppedAt = Date.now();
    demo.child.kill('SIGINT');
    expect(await demo.end).toMatchObject({ code: 130, err: expect.stringContaining('stopped') as unknown });
    expect(Date.now() - stoppedAt).toBeLessThan(30_000);
    expect(processesIn(folder)).toEqual([]);
  });
});

class Running {
  out = '';
  err = '';
  readonly end: Promise<Ended>;

  constructor(readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => (this.out += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.err += chunk.toString()));
    this.end = once(child, 'close').then(([code]) => ({ code: code as number | null, out: this.out, err: this.err }));
  }

  /** Resolves once it has written the text; rejects when it ends first. */
  async says(text: string): Promise<void> {
    let ended = false;
    void this.end.then(() => (ended = true));
    while (!this.out.includes(text) && !this.err.includes(text)) {
      if (ended) throw new Error(`it ended without saying “${text}”:\n${this.out}${this.err}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Processes whose command line or environment names the folder, where /proc shows them. */
function processesIn(folder: string): string[] {
  let pids: string[] = [];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  } catch {
    return [];
  }
  return pids.filter((pid) => {
    try {
      return (
        readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(folder) || readFileSync(`/proc/${pid}/environ`, 'latin1').includes(folder)
      );
    } catch {
      return false;
    }
  });
}
