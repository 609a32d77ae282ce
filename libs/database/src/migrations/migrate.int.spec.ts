import { admitEchoJob, forkModule, startPostgres, type TestPostgres } from '@kiln/testing';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { leaseNext, record, samplesOf } from '../shards/shard-flow.fixture.js';
import { isMigrated, migrate } from './migrate.js';
import { readMigrations } from './migration-files.js';
import { schemaDrift } from './schema-drift.js';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});

const withDatabase = async <T>(url: string, work: (db: Database) => Promise<T>): Promise<T> => {
  const db = openDatabase(url, { max: 2 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
};
const asks = (db: Database) => async (sql: string) => ({ rows: await db.query<{ name: string }>(sql) });

describe('migrate', () => {
  it('applies each migration once when several processes start together, and nothing after that', async () => {
    const url = await postgres.createEmptyDatabase();
    const names = (await readMigrations()).map((file) => file.name);
    await withDatabase(url, async (db) => {
      expect(await isMigrated(asks(db))).toBe(false);
      const children = [1, 2].map(() => forkModule(new URL('./migrate-once.fixture.ts', import.meta.url), [url]));
      const applied = await Promise.all(
        children.map(async (child) => {
          const [message] = await once(child, 'message');
          await once(child, 'exit');
          return message as string[];
        }),
      );
      expect(applied.toSorted((a, b) => b.length - a.length)).toEqual([names, []]);
      expect(await isMigrated(asks(db))).toBe(true);
      expect(await migrate(url)).toEqual([]);
      expect(await db.query(`SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations`)).toEqual(
        names.map((name) => ({ name, finished: true })),
      );
    });
  });
});

describe('schemaDrift', () => {
  it('finds none between the migrations and the schema, in either direction', async () => {
    expect(await schemaDrift(await postgres.createDatabase())).toEqual({ toSchema: null, toDatabase: null });
  });

  it('finds a column that only the database has', async () => {
    const url = await postgres.createDatabase();
    await withDatabase(url, (db) => db.query('ALTER TABLE jobs ADD COLUMN surprise text'));
    const drift = await schemaDrift(url);
    expect(drift.toSchema).toMatch(/DROP COLUMN "surprise"/);
    expect(drift.toDatabase).toMatch(/ADD COLUMN +"surprise"/);
  });
});

describe('bounds that hold whoever writes', () => {
  let db: Database;
  beforeAll(async () => {
    db = openDatabase(await postgres.createDatabase());
    const job = await admitEchoJob(db, { examples: 2 });
    const lease = await leaseNext(db, job);
    await record(db, lease, samplesOf(lease), { final: true });
    await leaseNext(db, job);
    await db.query(`INSERT INTO reduced_outcomes (run_id, scorer_id, ordinal, project_id, kind, score, representative, num_pass, num_fail,
      num_invalid, num_error, num_skipped) SELECT run_id, 0, 0, project_id, 'pass', 1, 0, 1, 0, 0, 0, 0 FROM outcomes`);
  });
  afterAll(() => db.close());

  it.each([
    ['control_one_row', `INSERT INTO control (id) VALUES (2)`],
    ['jobs_counts', `UPDATE jobs SET k = 0`],
    ['jobs_counts', `UPDATE jobs SET k = 129`],
    ['jobs_counts', `UPDATE jobs SET example_count = 0`],
    ['jobs_counts', `UPDATE jobs SET sample_count = 0`],
    ['jobs_seed', `UPDATE jobs SET effective_seed = -1`],
    ['jobs_seed', `UPDATE jobs SET effective_seed = 18446744073709551616`],
    ['shards_range', `UPDATE shards SET count = 0`],
    ['shards_range', `UPDATE shards SET first_ordinal = -1`],
    ['shards_lease', `UPDATE shards SET claim_token = NULL WHERE state = 'leased'`],
    ['shards_lease', `UPDATE shards SET claim_token = gen_random_uuid() WHERE state = 'done'`],
    ['shards_reserved', `UPDATE shards SET cost_reserved = -1`],
    ['shards_reserved', `UPDATE shards SET tokens_reserved = -1`],
    ['budgets_reserved', `UPDATE budgets SET cost_reserved = -1`],
    ['budgets_reserved', `UPDATE budgets SET tokens_reserved = -1`],
    ['scores_value', `UPDATE scores SET value = 1.01`],
    ['scores_value', `UPDATE scores SET value = 'NaN'`],
    ['outcomes_score', `UPDATE outcomes SET score = -0.01`],
    ['outcomes_traced', `UPDATE outcomes SET trace_id = NULL WHERE kind = 'pass'`],
    ['reduced_outcomes_score', `UPDATE reduced_outcomes SET score = 2`],
    ['traces_one_raw', `UPDATE traces SET raw = NULL`],
    ['traces_one_raw', `UPDATE traces SET raw_blob = raw`],
  ])('%s refuses: %s', async (constraint, sql) => {
    await expect(db.query(sql)).rejects.toMatchObject({ code: '23514', constraint });
  });

  it('has the first rows that everything needs', async () => {
    expect(await db.query(`SELECT id, halted FROM control`)).toEqual([{ id: 1, halted: false }]);
    expect(await db.query(`SELECT name FROM projects`)).toEqual([{ name: 'default' }]);
  });
});
