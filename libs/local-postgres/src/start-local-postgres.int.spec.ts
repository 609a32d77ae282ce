import { chmod, mkdir, mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase } from './create-database.js';
import { locateBinaries } from './locate-binaries.js';
import { processFacts } from './process-facts.js';
import { type LocalPostgres, type LocalPostgresOptions, startLocalPostgres } from './start-local-postgres.js';

const root = process.getuid?.() === 0;
const fast = { fsync: 'off' };

describe('startLocalPostgres', () => {
  let home: string;
  let servers: LocalPostgres[];

  // As `mktemp -d` makes it, and as a careful root's home is: nobody else may enter.
  beforeEach(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'kiln-pg-'));
    await chmod(home, 0o700);
    servers = [];
  });

  afterEach(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(home, { recursive: true, force: true });
  });

  async function start(options: Partial<LocalPostgresOptions> = {}): Promise<LocalPostgres> {
    const server = await startLocalPostgres({
      dataDir: path.join(home, '.kiln', 'data'),
      password: 'p@ss/w:rd',
      sync: false,
      settings: fast,
      ...options,
    });
    servers.push(server);
    return server;
  }

  it('starts below a folder that only its owner may enter, keeps its data, and stops', async () => {
    const first = await start();
    await createDatabase(first, 'kiln');
    await createDatabase(first, 'kiln');
    await query(first, 'create table t as select 7 as n');
    await first.stop();
    await first.stop();
    expect(await processFacts(first.pid)).toBeNull();

    const second = await start();
    expect(second.leftover).toBe('none');
    expect(await query(second, 'select n from t')).toEqual([{ n: 7 }]);
    expect((await stat(path.join(home, '.kiln', 'data'))).mode & 0o777).toBe(0o700);
  });

  it('sorts by code point whatever the machine has installed, and asks for the password', async () => {
    const server = await start();
    await createDatabase(server, 'kiln');
    expect(await query(server, `select string_agg(c, '' order by c) s from unnest(array['b','A','ä','a','B']) c`)).toEqual([
      { s: 'ABabä' },
    ]);
    const wrong = new pg.Client({ connectionString: server.url('kiln').replace(/:[^:@]*@/, ':wrong@') });
    await expect(wrong.connect()).rejects.toThrow(/password authentication failed/);
  });

  it('stops a server that is still running with a client on it, and loses none of its data', async () => {
    const first = await start();
    await createDatabase(first, 'kiln');
    const client = new pg.Client({ connectionString: first.url('kiln') });
    await client.connect();
    const lost = new Promise((resolve) => client.on('error', resolve));
    await client.query('create table t as select 8 as n');

    const second = await start();
    expect(second.leftover).toBe('stopped');
    expect(String(await lost)).toMatch(/terminat/);
    expect(await processFacts(first.pid)).toBeNull();
    expect(await query(second, 'select n from t')).toEqual([{ n: 8 }]);
  });

  it('recovers when the server itself was killed', async () => {
    const first = await start();
    await createDatabase(first, 'kiln');
    await query(first, 'create table t as select 9 as n');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const second = await start();
    expect(second.leftover).toBe('stale_file');
    expect(await query(second, 'select n from t')).toEqual([{ n: 9 }]);
  });

  it('is not stopped by a pid file whose pid belongs to another program now', async () => {
    const first = await start();
    await first.stop();
    const file = path.join(home, '.kiln', 'data', 'postmaster.pid');
    await writeFile(file, `${process.pid}\n${path.dirname(file)}\n1764445683\n40123\n\n127.0.0.1\n\nready\n`);
    expect((await start()).leftover).toBe('stale_file');
  });

  it('begins again after an initialisation that was cut short', async () => {
    const partial = path.join(home, '.kiln', 'data.partial');
    await mkdir(partial, { recursive: true });
    await writeFile(path.join(partial, 'PG_VERSION'), '18\n');
    await start();
    await expect(stat(partial)).rejects.toThrow(/ENOENT/);
    await expect(stat(path.join(home, '.kiln', 'data.password'))).rejects.toThrow(/ENOENT/);
  });

  it('refuses a cluster of another major version, naming both', async () => {
    const dataDir = path.join(home, '.kiln', 'data');
    await mkdir(dataDir, { recursive: true });
    await writeFile(path.join(dataDir, 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow(/is of Postgres 17, but Postgres 18 is installed/);
  });

  it('reports why the server did not start', async () => {
    await expect(start({ settings: { no_such_setting: '1' } })).rejects.toThrow(/no_such_setting/);
  });

  it.runIf(root)('moves what another account must reach when root has no namespaces', async () => {
    const relocationRoot = await mkdtemp(path.join(tmpdir(), 'kiln-relocated-'));
    try {
      const options = { allow: ['user'], relocationRoot } as const;
      const [blocked, dataDir] = [path.join(home, 'blocked'), path.join(home, '.kiln', 'data')];
      const first = await start(options);
      expect(first.privileges).toBe('user');
      await createDatabase(first, 'kiln');
      await query(first, 'create table t as select 10 as n');
      expect(await readFile(`/proc/${first.pid}/status`, 'utf8')).not.toMatch(/^Uid:\s+0/m);
      await first.stop();
      expect(await readlink(dataDir)).toContain(relocationRoot);

      const second = await start(options);
      expect(await query(second, 'select n from t')).toEqual([{ n: 10 }]);
      // A checkout elsewhere must get a cluster of its own, not this one.
      const other = await start({ ...options, dataDir: path.join(blocked, 'data') });
      expect(other.pid).not.toBe(second.pid);
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
      await rm(relocationRoot, { recursive: true, force: true });
    }
  });

  it.runIf(root)('runs as the account that owns an existing cluster', async () => {
    const relocationRoot = await mkdtemp(path.join(tmpdir(), 'kiln-relocated-'));
    try {
      await (await start({ allow: ['user'], relocationRoot })).stop();
      const again = await start({ relocationRoot });
      expect(again.privileges).toBe('user');
      await again.stop();
    } finally {
      await rm(relocationRoot, { recursive: true, force: true });
    }
  });
});

describe('locateBinaries', () => {
  it('finds the installed Postgres 18', async () => {
    const { postgres, version } = await locateBinaries();
    expect(version).toMatch(/^18\./);
    expect((await stat(postgres)).isFile()).toBe(true);
  });
});

async function query(server: LocalPostgres, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.url('kiln') });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
