import { admitEchoJob, startPostgres } from '@kiln/testing';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { purgeJob } from '../purge/purge-job.js';
import { endAttempt } from '../shards/end-attempt.js';
import { type Lease } from '../shards/lease.js';
import { expire, leaseNext, record, sampleOf, TESTER } from '../shards/shard-flow.fixture.js';
import { pruneReservations, reserveTraces } from './reserve-traces.js';

const PROJECT = '00000000-0000-7000-8000-000000000001';
const key = (text: string): Buffer => createHash('sha256').update(text).digest();
const hex = (text: string): string => key(text).toString('hex');

describe('reserveTraces', () => {
  let db: Database;
  beforeAll(async () => {
    db = openDatabase(await (await startPostgres()).createDatabase(), { max: 40 });
  });
  afterAll(() => db.close());

  const reusing = async (): Promise<Lease> => ({ ...(await leaseNext(db, await admitEchoJob(db, { examples: 1 }))), reuseTraces: true });
  const keyed = (lease: Lease, text: string) => {
    const sample = sampleOf(lease.firstOrdinal);
    return { ...sample, trace: { ...sample.trace!, reuseKey: key(text) } };
  };

  it('gives a key to one shard, and to another when that one lets go without a trace', async () => {
    const [a, b] = [await reusing(), await reusing()];
    expect((await reserveTraces(db, a, [key('x'), key('y')])).reserved).toEqual(new Set([hex('x'), hex('y')]));
    expect(await reserveTraces(db, b, [key('x'), key('z')])).toEqual({ reserved: new Set([hex('z')]), reusable: [] });
    // Asking again is no harm.
    expect((await reserveTraces(db, a, [key('x')])).reserved.size).toBe(1);
    await endAttempt(db, a, { kind: 'released' });
    expect((await reserveTraces(db, b, [key('x')])).reserved).toEqual(new Set([hex('x')]));
  });

  it('takes a key over from a lease that has run out', async () => {
    const [a, b] = [await reusing(), await reusing()];
    await reserveTraces(db, a, [key('dead')]);
    expect((await reserveTraces(db, b, [key('dead')])).reserved.size).toBe(0);
    await expire(db, a.shardId);
    expect((await reserveTraces(db, b, [key('dead')])).reserved.size).toBe(1);
  });

  it('finds what is stored, and lends it: the trace is kept while another job uses it', async () => {
    const [a, b] = [await reusing(), await reusing()];
    await reserveTraces(db, a, [key('stored')]);
    await record(db, a, [keyed(a, 'stored')], { final: true });
    const { reserved, reusable } = await reserveTraces(db, b, [key('stored'), key('other')]);
    expect(reserved).toEqual(new Set([hex('other')]));
    expect(reusable).toMatchObject([{ key: hex('stored'), runId: a.runId, answerStart: 0, answerEnd: 1 }]);
    const borrowed = { id: reusable[0]!.id, runId: a.runId };
    await record(db, b, [{ ...sampleOf(0), trace: null, borrowed }], { final: true });
    expect(await db.query(`SELECT trace_id FROM outcomes WHERE run_id = $1`, [b.runId])).toEqual([{ trace_id: borrowed.id }]);
    for (const lease of [a, b]) await db.query(`UPDATE jobs SET state = 'completed' WHERE id = $1`, [lease.jobId]);
    await expect(purgeJob(db, PROJECT, a.jobId, TESTER)).rejects.toThrow('other jobs score or reuse the traces of this one');
    expect(await purgeJob(db, PROJECT, b.jobId, TESTER)).toBe(true);
    expect(await purgeJob(db, PROJECT, a.jobId, TESTER)).toBe(true);
  });

  it('forgets what lost attempts have reserved, and nothing else', async () => {
    const [dead, alive] = [await reusing(), await reusing()];
    await reserveTraces(db, dead, [key('lost')]);
    await reserveTraces(db, alive, [key('kept')]);
    await db.query(`UPDATE shards SET state = 'done', claim_token = NULL WHERE id = $1`, [dead.shardId]);
    await pruneReservations(db);
    const left = await db.query<{ key: Buffer }>(`SELECT reuse_key AS key FROM trace_reservations WHERE reuse_key = ANY ($1)`, [
      [key('lost'), key('kept')],
    ]);
    expect(left.map((row) => row.key.toString('hex'))).toEqual([hex('kept')]);
  });

  it('lets one of 25 that ask at once generate each of many keys', async () => {
    const leases = await Promise.all(Array.from({ length: 25 }, reusing));
    const keys = Array.from({ length: 40 }, (_, index) => key(`shared ${index}`));
    const answers = await Promise.all(
      leases.map((lease) =>
        reserveTraces(
          db,
          lease,
          keys.toSorted(() => Math.random() - 0.5),
        ),
      ),
    );
    const owners = answers.flatMap(({ reserved }) => [...reserved]);
    expect(owners).toHaveLength(keys.length);
    expect(new Set(owners).size).toBe(keys.length);
  });
});
