import { admitEchoJob, DEFAULT_PROJECT, startPostgres } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { cancelJob } from '../jobs/stop-job.js';
import { post } from './post.js';
import { pruneOutbox, takeOutbox } from './take-outbox.js';
import { TESTER } from '../shards/shard-flow.fixture.js';

describe('takeOutbox', () => {
  let db: Database;
  beforeAll(async () => {
    db = openDatabase(await (await startPostgres()).createDatabase(), { max: 60 });
  });
  beforeEach(async () => {
    await db.query('TRUNCATE outbox');
  });
  afterAll(() => db.close());

  const postFor = (jobId: string) => db.transaction((tx) => post(tx, 'shard.ended', jobId));

  it('takes what was written, once, within the limit', async () => {
    const job = await admitEchoJob(db);
    await cancelJob(db, DEFAULT_PROJECT, job.jobId, TESTER);
    const taken = [...(await takeOutbox(db, 1)), ...(await takeOutbox(db, 10))];
    expect(taken.map(({ topic, jobId }) => [topic, jobId])).toEqual([
      ['job.admitted', job.jobId],
      ['job.finished', job.jobId],
    ]);
    expect(await takeOutbox(db, 10)).toEqual([]);
  });

  it('never takes more than the limit, and gives each entry to one of many relays', async () => {
    await Promise.all(Array.from({ length: 100 }, () => postFor(randomUUID())));
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeOutbox(db, 7)));
    expect(taken.every((entries) => entries.length <= 7)).toBe(true);
    const rest = await takeOutbox(db, 1_000);
    const ids = [...taken.flat(), ...rest].map((entry) => entry.id);
    expect([ids.length, new Set(ids).size]).toEqual([100, 100]);
  });

  it('skips nothing that commits late: 50 writers with random delays', async () => {
    const jobs = Array.from({ length: 50 }, () => randomUUID());
    let writing = true;
    const seen: string[] = [];
    const relay = (async () => {
      for (;;) {
        const last = !writing;
        const entries = await takeOutbox(db, 5);
        seen.push(...entries.map((entry) => entry.jobId));
        if (last && entries.length === 0) return;
        await sleep(2);
      }
    })();
    // The number is drawn at the insert, the commit comes up to 150 ms later: later numbers are seen first.
    const write = (jobId: string) =>
      db.transaction(async (tx) => {
        await sleep(Math.random() * 50);
        await post(tx, 'job.admitted', jobId);
        await sleep(Math.random() * 150);
      });
    await Promise.all(jobs.map(write));
    writing = false;
    await relay;
    expect(seen.toSorted()).toEqual(jobs.toSorted());
  });

  it('keeps what a failed transaction wrote from everybody', async () => {
    const failing = db.transaction(async (tx) => {
      await post(tx, 'job.stopped', randomUUID());
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await takeOutbox(db, 10)).toEqual([]);
  });

  it('forgets what was published long ago, and nothing else', async () => {
    for (let turn = 0; turn < 3; turn += 1) await postFor(randomUUID());
    await takeOutbox(db, 2);
    await db.query(`UPDATE outbox SET published_at = published_at - interval '8 days' WHERE id = (SELECT min(id) FROM outbox)`);
    await pruneOutbox(db, 7);
    expect(await db.query(`SELECT published_at IS NULL AS open FROM outbox ORDER BY id`)).toEqual([{ open: false }, { open: true }]);
  });
});
