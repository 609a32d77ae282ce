import { admitEchoJob, startPostgres, type TestPostgres } from '@kiln/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from './database.js';
import { type Leadership, tryLead } from './leadership.js';

describe('tryLead', () => {
  let postgres: TestPostgres;
  let url: string;
  let db: Database;
  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.createDatabase();
    db = openDatabase(url);
  });
  afterAll(() => db.close());

  const run = async (): Promise<{ lead: Leadership | null; heard: { wakes: number; losses: number } }> => {
    const heard = { wakes: 0, losses: 0 };
    const lead = await tryLead(
      url,
      () => (heard.wakes += 1),
      () => (heard.losses += 1),
    );
    return { lead, heard };
  };
  const endLeader = () =>
    db.query(`SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
               WHERE l.locktype = 'advisory' AND d.datname = current_database()`);

  it('lets one of many lead, and the next one after it has gone', async () => {
    const attempts = await Promise.all(Array.from({ length: 8 }, run));
    const leaders = attempts.filter(({ lead }) => lead !== null);
    expect(leaders).toHaveLength(1);
    expect((await run()).lead).toBeNull();
    await leaders[0]!.lead!.release();
    const next = await run();
    expect(next.lead).not.toBeNull();
    await next.lead!.release();
    expect(attempts.map(({ heard }) => heard.losses)).toEqual(Array(8).fill(0));
  });

  it('tells a leader once that its connection has ended, and another can lead', async () => {
    const first = await run();
    expect(await endLeader()).toHaveLength(1);
    await expect.poll(() => first.heard.losses).toBe(1);
    const second = await run();
    expect(second.lead).not.toBeNull();
    await first.lead!.release();
    await second.lead!.release();
    expect([first.heard.losses, second.heard.losses]).toEqual([1, 0]);
  });

  it('wakes the leader when something is written to the outbox, and nobody else', async () => {
    const [leader, other] = [await run(), await run()];
    expect(other.lead).toBeNull();
    await admitEchoJob(db);
    await expect.poll(() => leader.heard.wakes).toBe(1);
    // What is rolled back wakes nobody.
    await db
      .transaction(async (tx) => {
        await tx.query(`SELECT pg_notify('kiln_outbox', '')`);
        throw new Error('no');
      })
      .catch(() => undefined);
    await admitEchoJob(db);
    await expect.poll(() => leader.heard.wakes).toBe(2);
    expect(other.heard).toEqual({ wakes: 0, losses: 0 });
    await leader.lead!.release();
  });

  it('says nothing of a lead that it could not even try to get', async () => {
    const heard: string[] = [];
    await expect(
      tryLead(
        url.replace(/\/[^/]*$/, '/nothing_here'),
        () => heard.push('wake'),
        () => heard.push('lost'),
      ),
    ).rejects.toMatchObject({ code: '3D000' });
    expect(heard).toEqual([]);
  });
});
