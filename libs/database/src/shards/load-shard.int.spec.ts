import { admitEchoJob, startPostgres } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { loadShard, loadSuiteHeader } from './load-shard.js';
import { registerProvenance, registerScorer } from './register-identities.js';
import { leaseNext, record, sampleOf } from './shard-flow.fixture.js';
import { shardCounts } from './shard-counts.js';

let db: Database;
beforeAll(async () => {
  db = openDatabase(await (await startPostgres()).createDatabase(), { max: 20 });
});
afterAll(() => db.close());

describe('loadShard', () => {
  it('reads the examples of the range with what is recorded of each', async () => {
    const job = await admitEchoJob(db, { examples: 7, shardExamples: 3, k: 3 });
    await leaseNext(db, job);
    const lease = await leaseNext(db, job);
    await record(db, lease, [sampleOf(4, 0), sampleOf(4, 2), sampleOf(5, 1)]);
    const examples = await loadShard(db, lease);
    expect(examples.map(({ ordinal, key, recorded }) => [ordinal, key, recorded.toSorted((a, b) => a - b)])).toEqual([
      [3, 'example-3', []],
      [4, 'example-4', [0, 2]],
      [5, 'example-5', [1]],
    ]);
    expect(examples[0]!.example).toEqual({
      messages: [{ role: 'user', content: '3' }],
      target: '3',
      aliases: [],
      tags: ['odd'],
      weight: 1,
      tools: null,
      scorer: null,
      generation: null,
      pinned_history: null,
      reference: null,
    });
  });

  it('reads what a selection pins, with the reference for its scorers', async () => {
    const job = await admitEchoJob(db, { examples: 4, shardExamples: 4 });
    await db.query(
      `UPDATE examples SET reference = '{"answer": "secret"}' WHERE id IN (SELECT example_id FROM suite_version_examples WHERE version_id = $1)`,
      [job.suite.versionId],
    );
    await db.query(`UPDATE jobs SET selection = '{"rule": "pinned"}' WHERE id = $1`, [job.jobId]);
    await db.query(`INSERT INTO job_selection (job_id, ordinal) VALUES ($1, 1), ($1, 3)`, [job.jobId]);
    const lease = await leaseNext(db, job);
    expect(lease.selected).toBe(true);
    const examples = await loadShard(db, lease);
    expect(examples.map((example) => example.ordinal)).toEqual([1, 3]);
    expect(examples[0]!.example.reference).toEqual({ answer: 'secret' });
  });

  it('reads the header of a suite', async () => {
    const job = await admitEchoJob(db);
    expect(await loadSuiteHeader(db, job.suite.versionId)).toMatchObject({ name: job.suite.name, default_scorer: { kind: 'exact_match' } });
    expect(await loadSuiteHeader(db, randomUUID())).toBeUndefined();
  });
});

describe('identities', () => {
  it('have one number each, whoever registers them at once', async () => {
    const register = [
      () => registerScorer(db, { identity: 'sha256:a', kind: 'contains', config: { any: 'thing' } }),
      () => registerScorer(db, { identity: 'sha256:b', kind: 'contains', config: {} }),
    ];
    const numbers = await Promise.all(Array.from({ length: 30 }, (_, index) => register[index % 2]!()));
    expect(new Set(numbers).size).toBe(2);
    const provenances = await Promise.all(Array.from({ length: 20 }, () => registerProvenance(db, { digest: 'sha256:p', body: {} })));
    expect(new Set(provenances).size).toBe(1);
  });
});

describe('shardCounts', () => {
  it('counts what is unfinished, by state and queue', async () => {
    await db.query(`UPDATE shards SET state = 'done', claim_token = NULL`);
    const job = await admitEchoJob(db, { examples: 3, queue: 'shards.cpu.echo' });
    await leaseNext(db, job);
    expect((await shardCounts(db)).toSorted((a, b) => a.count - b.count)).toEqual([
      { state: 'leased', queue: 'shards.cpu.echo', count: 1, oldestSeconds: expect.any(Number) },
      { state: 'waiting', queue: 'shards.cpu.echo', count: 2, oldestSeconds: expect.any(Number) },
    ]);
  });
});
