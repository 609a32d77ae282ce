import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { forkModule } from './fork-module.js';
import { startPostgres, type TestPostgres } from './start-postgres.js';

describe('startPostgres', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });

  const inDatabase = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  it('returns the same server again', async () => {
    expect(await startPostgres()).toBe(postgres);
    expect(await postgres.query('SHOW max_connections')).toEqual([{ max_connections: '200' }]);
    expect(await postgres.query('SHOW fsync')).toEqual([{ fsync: 'off' }]);
  });

  it('migrates a template once and clones it', async () => {
    let migrations = 0;
    const migrate = async (url: string) => {
      migrations += 1;
      await inDatabase(url, (client) => client.query('CREATE TABLE suite (name text)'));
    };
    const [first, second] = await Promise.all([postgres.createDatabase(migrate), postgres.createDatabase(migrate)]);
    await inDatabase(first, (client) => client.query("INSERT INTO suite VALUES ('a')"));
    const rows = await inDatabase(second, (client) => client.query('SELECT * FROM suite'));
    expect(rows.rowCount).toBe(0);
    expect(migrations).toBe(1);
    await postgres.dropDatabase(first);
    await expect(inDatabase(first, async () => undefined)).rejects.toThrow(/does not exist/);
  });

  it('clones the schema of Kiln by default', async () => {
    const url = await postgres.createDatabase();
    const { rows } = await inDatabase(url, (client) =>
      client.query("SELECT count(*)::int AS tables FROM pg_tables WHERE schemaname = 'public'"),
    );
    expect((rows as { tables: number }[])[0]?.tables).toBeGreaterThan(10);
  });

  it.each(['fast', 'immediate', 'crash'] as const)('keeps committed rows and its port over a restart (%s)', async (mode) => {
    const url = await postgres.createEmptyDatabase();
    await inDatabase(url, (client) => client.query('CREATE TABLE t AS SELECT 1 AS n'));
    await postgres.stop(mode);
    await expect(inDatabase(url, async () => undefined)).rejects.toThrow(/ECONNREFUSED/);
    await postgres.start();
    expect((await inDatabase(url, (client) => client.query('SELECT n FROM t'))).rows).toEqual([{ n: 1 }]);
  });

  it('does not outlive a test process that is killed', async () => {
    const child = forkModule(new URL('./hold-servers.fixture.ts', import.meta.url));
    const [pids, folder] = await new Promise<[number[], string]>((resolve, reject) => {
      child.once('message', (message) => resolve(message as [number[], string]));
      child.once('exit', (code) => reject(new Error(`child ended with ${code}`)));
    });
    expect(pids.map(isAlive)).toEqual(pids.map(() => true));
    child.kill('SIGKILL');
    await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => existsSync(folder), { timeout: 10_000 }).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return false;
  }
}
