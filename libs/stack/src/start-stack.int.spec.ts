import { once } from 'node:events';
import { chmod, cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processFacts, waitForExit } from '@kiln/local-postgres';
import { forkModule } from '@kiln/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readCredentials } from './credentials.js';
import { readStackStatus } from './read-stack-status.js';
import { type RunRecord, readRunRecord } from './run-record.js';
import { eventsFile, sampleServices } from './sample-services.fixture.js';
import { StackBusyError } from './stack-busy-error.js';
import { stackPaths } from './stack-paths.js';
import { type RunningStack, type StackOptions, startStack } from './start-stack.js';
import { stopStack } from './stop-stack.js';

describe('a stack on one machine', () => {
  let folder: string;
  let dataDir: string;
  let progress: string[];
  let stacks: RunningStack[];
  let prepared: string;

  // A cluster with the schema in it, made once and copied for each test: making one takes most of the time of a start.
  beforeAll(async () => {
    progress = [];
    prepared = await mkdtemp(path.join(tmpdir(), 'kiln-prepared-'));
    const stack = await startStack(optionsIn(prepared));
    await stack.stop();
    await rm(path.join(prepared, '.kiln', 'credentials'));
  });

  afterAll(() => rm(prepared, { recursive: true, force: true }));

  // Nobody else may enter, as below the home of a careful root.
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kiln-stack-'));
    await chmod(folder, 0o700);
    dataDir = path.join(folder, '.kiln');
    await cp(path.join(prepared, '.kiln'), dataDir, { recursive: true });
    progress = [];
    stacks = [];
  });

  afterEach(async () => {
    await Promise.all(stacks.map((stack) => stack.stop()));
    await stopStack(dataDir);
    await rm(folder, { recursive: true, force: true });
  });

  function optionsIn(root: string, change: Partial<StackOptions> = {}): StackOptions {
    return {
      root,
      env: { PATH: process.env['PATH'] },
      dataDir: path.join(root, '.kiln'),
      modelDir: path.join(root, 'models'),
      host: '127.0.0.1',
      port: 0,
      strictPort: false,
      databaseUrl: null,
      queueInDatabase: true,
      purpose: 'up',
      onProgress: (line) => progress.push(line),
      services: sampleServices(root),
      ...change,
    };
  }

  async function start(change: Partial<StackOptions> = {}): Promise<RunningStack> {
    const stack = await startStack(optionsIn(folder, change));
    stacks.push(stack);
    return stack;
  }

  async function events(): Promise<string[]> {
    return (await readFile(eventsFile(folder), 'utf8').catch(() => '')).trim().split('\n');
  }

  async function record(): Promise<RunRecord> {
    const found = await readRunRecord(stackPaths(dataDir).runFile);
    if (found === null) throw new Error('no run.json');
    return found;
  }

  async function pidsOf(names: RunRecord): Promise<number[]> {
    return names.processes.map(({ pid }) => pid);
  }

  it('starts, keeps one key, says where it is, and stops in order without leaving a process', async () => {
    const first = await start();
    expect(first.newKey).toBe(true);
    expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
    expect((await stat(path.join(dataDir, 'credentials'))).mode & 0o777).toBe(0o600);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect(await readCredentials(path.join(dataDir, 'credentials'))).toEqual(first.credentials);
    expect(await readStackStatus(dataDir)).toMatchObject({ state: 'ready', url: first.url, pid: process.pid, complaint: null });
    const running = await record();
    expect(running.processes.map(({ name }) => name)).toEqual(['postgres', 'api', 'scheduler', 'worker']);
    expect(await readFile(path.join(dataDir, 'logs', 'worker.log'), 'utf8')).toContain('worker says hello');

    await first.stop();
    await first.stop();
    expect((await events()).filter((line) => line.endsWith('SIGTERM'))).toEqual(['worker SIGTERM', 'scheduler SIGTERM', 'api SIGTERM']);
    for (const pid of await pidsOf(running)) expect(await processFacts(pid)).toBeNull();
    expect(await readStackStatus(dataDir)).toMatchObject({ state: 'stopped', pid: null });

    const second = await start();
    expect(second.newKey).toBe(false);
    expect(second.credentials).toEqual(first.credentials);
  });

  it('makes a new key when the one in the file is not in the database', async () => {
    await (await start()).stop();
    const file = path.join(dataDir, 'credentials');
    await writeFile(file, JSON.stringify({ api_key: 'kiln_of_another_database', key_id: 'x', created_at: '' }));
    const again = await start();
    expect(again.newKey).toBe(true);
    expect(await readCredentials(file)).toEqual(again.credentials);
  });

  it('lets only one of two starts at once through, and tells the other who has it', async () => {
    const results = await Promise.allSettled([start(), start({ purpose: 'demo' })]);
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(refused).toHaveLength(1);
    expect(refused[0]).toBeInstanceOf(StackBusyError);
    await expect(start()).rejects.toThrow(new RegExp(`already runs at http.*process ${process.pid} `));
  });

  it('refuses a port in use when it was asked for by name, and takes the next one when it was not', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port } = squatter.address() as { port: number };
    try {
      await expect(start({ port, strictPort: true })).rejects.toThrow(`port: ${port} on 127.0.0.1 is in use`);
      const stack = await start({ port });
      expect(progress.join('\n')).toContain(`port ${port} is in use; taking`);
      expect(new URL(stack.url).port).not.toBe(String(port));
    } finally {
      squatter.close();
    }
  });

  it('says why a service did not start, and leaves nothing running', async () => {
    await expect(start({ services: sampleServices(folder, { worker: 'broken' }) })).rejects.toThrow(
      /the worker did not start: it ended with exit code 1; its last words:\n[^]*no such model/,
    );
    expect(await readStackStatus(dataDir)).toMatchObject({ state: 'stopped', processes: [] });
  });

  it('starts a service again that ended by itself', async () => {
    const stack = await start();
    const before = (await record()).processes.find(({ name }) => name === 'api');
    await fetch(`${stack.url}/crash`).catch(() => undefined);
    await until(async () => (await fetch(`${stack.url}/readyz`).catch(() => null))?.status === 200);
    await until(async () => (await record()).processes.find(({ name }) => name === 'api')?.pid !== before?.pid);
    expect(progress.join('\n')).toMatch(/api: it ended with exit code 7; starting it again in 0.5 s/);
  });

  it('starts Postgres again on the same port', async () => {
    await start();
    const before = await record();
    process.kill(before.processes.find(({ name }) => name === 'postgres')?.pid as number, 'SIGKILL');
    await until(() => Promise.resolve(progress.includes('Postgres is back')));
    expect((await record()).postgres_port).toBe(before.postgres_port);
  });

  it('cuts off a service that does not stop', async () => {
    const stack = await start({ services: sampleServices(folder, { worker: 'stubborn' }) });
    const { processes } = await record();
    await stack.stop();
    for (const { pid } of processes) expect(await processFacts(pid)).toBeNull();
  });

  it.each(['starting Postgres', 'starting api'])(
    'gives up a start that is aborted at "%s …", and leaves nothing running',
    async (moment) => {
      const controller = new AbortController();
      const onProgress = (line: string): void => {
        if (line.startsWith(moment)) controller.abort();
      };
      await expect(start({ signal: controller.signal, onProgress })).rejects.toThrow(/given up|aborted|did not start/);
      expect(await readStackStatus(dataDir)).toMatchObject({ state: 'stopped', processes: [] });
      await start();
    },
  );

  it('comes up after its owner was killed: services end by themselves, Postgres is stopped, data stays', async () => {
    const owner = forkModule(new URL('hold-stack.fixture.ts', import.meta.url), [folder]);
    await once(owner, 'message');
    const killed = await record();
    const credentials = await readCredentials(stackPaths(dataDir).credentialsFile);
    owner.kill('SIGKILL');
    await waitForExit(owner.pid as number, 5000);
    await until(async () => (await events()).filter((line) => line.endsWith('orphaned')).length === 3);
    expect(await readStackStatus(dataDir)).toMatchObject({ state: 'left_over' });

    const stack = await start();
    expect(progress.join('\n')).toMatch(/ended what an earlier start had left running: .*postgres/);
    expect(stack.newKey).toBe(false);
    expect(stack.credentials).toEqual(credentials);
    for (const pid of await pidsOf(killed)) expect(await processFacts(pid)).toBeNull();
  });

  it('is stopped from another process by kiln down, also when its owner was killed', async () => {
    const owner = forkModule(new URL('hold-stack.fixture.ts', import.meta.url), [folder]);
    await once(owner, 'message');
    await expect(start()).rejects.toThrow(`process ${owner.pid} `);
    expect(await stopStack(dataDir)).toEqual({ result: 'stopped', pid: owner.pid });
    expect(await stopStack(dataDir)).toEqual({ result: 'not_running' });

    const next = forkModule(new URL('hold-stack.fixture.ts', import.meta.url), [folder]);
    await once(next, 'message');
    const { processes } = await record();
    next.kill('SIGKILL');
    await waitForExit(next.pid as number, 5000);
    expect(await stopStack(dataDir)).toMatchObject({ result: 'cleaned', ended: expect.arrayContaining(['postgres']) as unknown });
    for (const { pid } of processes) expect(await processFacts(pid)).toBeNull();
  });

  it('is not confused by files that a crash left half written', async () => {
    await (await start()).stop();
    await writeFile(path.join(dataDir, 'lock'), '');
    await writeFile(path.join(dataDir, 'run.json'), '{"pid": 1, "url"');
    await writeFile(path.join(dataDir, 'credentials'), '{');
    expect((await start()).newKey).toBe(true);
  });

  it('refuses data whose password is lost instead of starting without it', async () => {
    await (await start()).stop();
    await rm(path.join(dataDir, 'postgres', 'password'));
    await expect(start()).rejects.toThrow(/the password of the database .* is missing/);
  });
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('it did not happen within 20 s');
    await sleep(50);
  }
}
