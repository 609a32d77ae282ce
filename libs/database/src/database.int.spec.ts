import { startFaultProxy, startPostgres, type TestPostgres } from '@kiln/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from './database.js';
import { isTransient } from './transient.js';

let postgres: TestPostgres;
let url: string;
let db: Database;
const idleErrors: Error[] = [];
beforeAll(async () => {
  postgres = await startPostgres();
  url = await postgres.createDatabase();
  db = openDatabase(url, {
    max: 4,
    statementTimeoutMs: 500,
    applicationName: 'kiln-spec',
    onIdleError: (error) => idleErrors.push(error),
  });
  await db.query('CREATE TABLE notes (text text PRIMARY KEY)');
});
afterAll(() => db.close());

const notes = async (like: string): Promise<unknown[]> =>
  (await db.query(`SELECT text FROM notes WHERE text LIKE $1 ORDER BY 1`, [like])).map((row) => row['text']);
const note = 'INSERT INTO notes VALUES ($1)';

describe('transaction', () => {
  it('commits what work wrote and answers what it returned', async () => {
    expect(await db.transaction(async (tx) => (await tx.query(note, ['a1']), 'done'))).toBe('done');
    expect(await notes('a%')).toEqual(['a1']);
  });

  it('rolls back when work throws, and the connection goes on', async () => {
    const before = db.load().total;
    for (let turn = 0; turn < 10; turn += 1) {
      const failing = db.transaction(async (tx) => {
        await tx.query(note, ['b1']);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
    }
    expect(await notes('b%')).toEqual([]);
    expect(db.load().total).toBe(before);
  });

  it('rolls back when a statement fails', async () => {
    await expect(db.transaction(async (tx) => (await tx.query(note, ['c1']), await tx.query(note, ['c1'])))).rejects.toMatchObject({
      code: '23505',
    });
    expect(await notes('c%')).toEqual([]);
  });

  it('does not pretend to have committed when work went on after a failed statement', async () => {
    const swallowing = db.transaction(async (tx) => {
      await tx.query(note, ['d1']);
      await tx.query('SELECT 1/0').catch(() => undefined);
      return 'done';
    });
    await expect(swallowing).rejects.toThrow(/rolled back/);
    expect(await notes('d%')).toEqual([]);
  });

  it('fails as transient when its connection is ended, and the pool goes on', async () => {
    const ended = db.transaction(async (tx) => {
      const [row] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await tx.query(note, ['e1']);
      await postgres.query('SELECT pg_terminate_backend($1)', [row!.pid]);
      await tx.query(note, ['e2']);
    });
    const error = await ended.catch((failure: unknown) => failure);
    expect(isTransient(error)).toBe(true);
    expect(await notes('e%')).toEqual([]);
  });

  it('gives up on a server that vanished without a word, and does not ask it to roll back', async () => {
    const proxy = await startFaultProxy(postgres.port);
    const distant = openDatabase(url.replace(String(postgres.port), String(proxy.port)), { max: 1, statementTimeoutMs: 300 });
    try {
      await distant.query('SELECT 1');
      const startedAt = performance.now();
      const lost = distant.transaction(async (tx) => {
        proxy.mode = 'blackHole';
        await tx.query('SELECT 1');
      });
      const error = await lost.catch((failure: unknown) => failure);
      expect(isTransient(error)).toBe(true);
      expect(performance.now() - startedAt).toBeLessThan(8_000);
      proxy.mode = 'pass';
      expect(await distant.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      await proxy.close();
      await distant.close();
    }
  });
});

describe('query', () => {
  it('is cancelled by the server when it takes too long, which is not transient', async () => {
    const error = await db.query('SELECT pg_sleep(10)').catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: '57014' });
    expect(isTransient(error)).toBe(false);
  });

  it('shows its name, and tells of idle connections that were ended', async () => {
    await db.query('SELECT 1');
    const ended = await postgres.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kiln-spec'`);
    expect(ended.length).toBeGreaterThan(0);
    await expect.poll(() => idleErrors.length).toBe(ended.length);
    expect(await db.query('SELECT 2 AS two')).toEqual([{ two: 2 }]);
  });
});
