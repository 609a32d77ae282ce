import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processFacts } from '@kiln/local-postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readStackStatus } from './read-stack-status.js';
import { type RecordedProcess, recordProcess, writeRunRecord } from './run-record.js';
import { type StackPaths, makeStackFolders, stackPaths } from './stack-paths.js';
import { stopStack } from './stop-stack.js';

const PROGRAM = path.resolve(import.meta.dirname, '../../../tools/stack-without-build.mjs');

/** The program for times without a build reads the same files as this library, and says the same of them. */
describe('kiln down and kiln status without a build', () => {
  let root: string;
  let paths: StackPaths;
  let owner: ChildProcess;
  let api: Server;
  let ready: number;

  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'kiln without-'));
    paths = stackPaths(path.join(root, '.kiln'));
    await makeStackFolders(paths);
    owner = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000); console.log("up")'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(owner.stdout!, 'data');
    ready = 200;
    api = createServer((_, response) => response.writeHead(ready).end('the database is away'));
    await once(api.listen(0, '127.0.0.1'), 'listening');
  });

  afterEach(async () => {
    owner.kill('SIGKILL');
    await new Promise((resolve) => api.close(resolve));
    await rm(root, { recursive: true });
  });

  async function lockFor(child: ChildProcess, startMark?: string): Promise<void> {
    const facts = await processFacts(child.pid!);
    const holder = { pid: child.pid, start_mark: startMark ?? facts?.startMark, purpose: 'up' };
    await writeFile(paths.lockFile, JSON.stringify(holder));
  }

  async function record(state: 'starting' | 'ready', processes: readonly (RecordedProcess | null)[] = []): Promise<void> {
    await writeRunRecord(paths.runFile, {
      pid: owner.pid!,
      state,
      url: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
      port: 1,
      postgres_port: 5555,
      processes: processes.filter((found) => found !== null),
      started_at: '2027-01-01T00:00:00.000Z',
    });
  }

  function program(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    return new Promise((resolve) => {
      execFile(process.execPath, [PROGRAM, root, ...args], { env: { PATH: process.env['PATH'] } }, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code), out, err }),
      );
    });
  }

  async function upAs(state: 'starting' | 'ready'): Promise<void> {
    await lockFor(owner);
    await record(state);
  }

  const situations: [string, number, () => Promise<void>][] = [
    ['stopped', 3, () => Promise.resolve()],
    ['stopped', 3, () => writeFile(paths.lockFile, 'null')],
    ['starting', 3, () => lockFor(owner)],
    ['starting', 3, () => upAs('starting')],
    ['ready', 0, () => upAs('ready')],
    ['left_over', 3, async () => record('ready', [await recordProcess('worker', owner.pid!)])],
    ['stopped', 3, () => lockFor(owner, 'a process that had this pid before')],
  ];

  it.each(situations)('%s (exit code %i)', async (state, exitCode, prepare) => {
    await prepare();
    const { code, out } = await program('status', '--json');
    const found = JSON.parse(out) as unknown;
    expect(found).toMatchObject({ state });
    expect(found).toEqual(await readStackStatus(paths.dataDir));
    expect(code).toBe(exitCode);
    expect((await program('status')).out).toMatch(new RegExp(`^${state}\\b`));
  });

  it('says what the server complains about', async () => {
    await upAs('ready');
    ready = 503;
    expect((await program('status')).out).toMatch(/^not_ready at http:.* \(503 the database is away\)\n$/);
    expect(JSON.parse((await program('status', '--json')).out)).toEqual(await readStackStatus(paths.dataDir));
  });

  it('stops the owner and waits for its end', async () => {
    await lockFor(owner);
    const { code, out } = await program('down', '--json');
    expect([code, JSON.parse(out)]).toEqual([0, { result: 'stopped', pid: owner.pid }]);
    expect(await processFacts(owner.pid!)).toBeNull();
    expect(await program('down')).toEqual({ code: 0, out: 'nothing runs\n', err: '' });
    expect(await stopStack(paths.dataDir)).toEqual({ result: 'not_running' });
  });

  it('leaves a process alone that only has the pid of an owner', async () => {
    await lockFor(owner, 'a process that had this pid before');
    expect((await program('down')).out).toBe('nothing runs\n');
    expect(await processFacts(owner.pid!)).not.toBeNull();
  });

  it('names what a killed owner left, which the next build can end', async () => {
    await record('ready', [await recordProcess('worker', owner.pid!)]);
    const { code, err } = await program('down');
    expect([code, err]).toEqual([1, expect.stringContaining(`worker (process ${owner.pid})`)]);
  });

  it.each(['--help', '--frob'])('does nothing with %s', async (option) => {
    await lockFor(owner);
    expect((await program('down', option)).code).toBe(2);
    expect(await processFacts(owner.pid!)).not.toBeNull();
  });
});
