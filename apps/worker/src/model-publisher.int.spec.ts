import { randomUUID } from 'node:crypto';
import { type Database, openDatabase, readScanEpoch, removeDeadWorkers } from '@kiln/database';
import { echoPublication, type ProbedScan } from '@kiln/inference';
import { ENDPOINT_IDENTITY, queueName, SCORE_IDENTITY } from '@kiln/running';
import { createLogger } from '@kiln/observability';
import { startPostgres } from '@kiln/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ModelPublisher } from './model-publisher.js';

let db: Database;
beforeAll(async () => {
  db = openDatabase(await (await startPostgres()).createDatabase(), { max: 5 });
});
afterAll(() => db.close());

/** A publisher whose scans end when they are told to. */
function open(): { publisher: ModelPublisher; id: string; queues: (readonly string[])[]; endScan: () => void; scans: () => number } {
  const queues: (readonly string[])[] = [];
  const ends: (() => void)[] = [];
  const id = randomUUID();
  const scan = async (): Promise<ProbedScan> => {
    await new Promise<void>((resolve) => ends.push(resolve));
    return { models: [echoPublication('cpu')], rejected: [] };
  };
  const worker = { id, pool: 'cpu', hostname: 'host', pid: 1, slots: 1 };
  const log = createLogger('worker', { level: 'silent' });
  const publisher = new ModelPublisher({ db, worker, scan, sandboxed: false, onQueues: async (now) => void queues.push(now), log });
  return { publisher, id, queues, endScan: () => ends.at(-1)!(), scans: () => ends.length };
}

const isPublished = async (id: string): Promise<boolean> =>
  (await db.query(`SELECT 1 FROM worker_models WHERE worker_id = $1`, [id])).length === 1;

/** On record, and the first scan is over. */
async function publishFirst({
  publisher,
  endScan,
  scans,
}: Pick<ReturnType<typeof open>, 'publisher' | 'endScan' | 'scans'>): Promise<void> {
  await publisher.register();
  const published = publisher.publish();
  await vi.waitFor(() => expect(scans()).toBe(1));
  endScan();
  await published;
}

describe('ModelPublisher', () => {
  it('keeps its worker on record while a scan lasts longer than silence is taken for death', async () => {
    const { publisher, id, endScan, scans } = open();
    await publisher.register();
    const published = publisher.publish();
    await vi.waitFor(() => expect(scans()).toBe(1));
    for (let beats = 0; beats < 5; beats++) {
      await sleep(100);
      await publisher.beat();
      await removeDeadWorkers(db, 300);
    }
    endScan();
    await published;
    expect(await isPublished(id)).toBe(true);
    expect(scans()).toBe(1);
  });

  it('serves endpoints and scoring before its first scan has ended, and its models after it', async () => {
    const { publisher, id, queues, endScan, scans } = open();
    await publisher.register();
    const published = publisher.publish();
    await vi.waitFor(() => expect(scans()).toBe(1));
    const without = [ENDPOINT_IDENTITY, SCORE_IDENTITY].map((identity) => queueName('cpu', identity));
    const stored = async () => (await db.query(`SELECT queues FROM workers WHERE id = $1`, [id]))[0]!['queues'];
    expect(queues).toEqual([without]);
    expect(await stored()).toEqual(without);
    endScan();
    await published;
    expect(queues).toEqual([without, [...without, expect.stringMatching(/^shards\.cpu\./)]]);
    expect(await stored()).toEqual(queues[1]);
  });

  it('beats on while it scans again, once for each scan that is asked for', async () => {
    const { publisher, id, endScan, scans } = open();
    await publishFirst({ publisher, endScan, scans });
    await publisher.beat();
    await sleep(50);
    expect(scans()).toBe(1);
    await db.query(`UPDATE control SET scan_epoch = scan_epoch + 1`);
    await publisher.beat();
    await publisher.beat();
    await vi.waitFor(() => expect(scans()).toBe(2));
    endScan();
    const epoch = await readScanEpoch(db);
    await vi.waitFor(async () =>
      expect(await db.query(`SELECT scan_epoch AS epoch FROM workers WHERE id = $1`, [id])).toEqual([{ epoch }]),
    );
    await publisher.beat();
    await sleep(50);
    expect(scans()).toBe(2);
  });

  it('comes back when it was forgotten', async () => {
    const { publisher, id, endScan, scans } = open();
    await publishFirst({ publisher, endScan, scans });
    await db.query(`DELETE FROM workers WHERE id = $1`, [id]);
    await publisher.beat();
    await vi.waitFor(() => expect(scans()).toBe(2));
    endScan();
    await vi.waitFor(async () => expect(await isPublished(id)).toBe(true));
  });
});
