import { type ModelPublication } from '@kiln/contracts';
import { startPostgres } from '@kiln/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_PROJECT_ID } from '../audit/default-project.js';
import { type Database, openDatabase } from '../database.js';
import { findModel } from '../models/served-model.js';
import {
  drainWorker,
  heartbeatWorker,
  type PublishedModel,
  publishModels,
  readScanEpoch,
  registerWorker,
  removeDeadWorkers,
  removeWorker,
} from './register-worker.js';

let db: Database;
beforeAll(async () => {
  db = openDatabase(await (await startPostgres()).createDatabase(), { max: 20 });
});
afterAll(() => db.close());

const model = (name: string, identity = `sha256:${name}`, adapters: string[] = []): PublishedModel => {
  const publication: ModelPublication = {
    model: name,
    engine: 'onnx',
    model_digest: identity,
    tokenizer_digest: 'sha256:t',
    template_digest: 'sha256:c',
    adapters: adapters.map((adapter) => ({ adapter, adapter_digest: `sha256:${adapter}` })),
    context_tokens: 512,
    execution_provenance: { runtime: 'onnxruntime' },
    pool: 'cpu',
  };
  return { publication, identity, queue: `shards.cpu.${name}` };
};
const addWorker = async (): Promise<string> => {
  const id = randomUUID();
  await registerWorker(db, { id, pool: 'cpu', hostname: 'host', pid: 1, slots: 2 });
  return id;
};
const served = async (workerId: string): Promise<unknown[]> =>
  (
    await db.query(`SELECT m.name FROM worker_models w JOIN models m ON m.id = w.model_id WHERE w.worker_id = $1 ORDER BY 1`, [workerId])
  ).map((row) => row['name']);

describe('workers', () => {
  it('publish what they serve, and publishing again replaces it', async () => {
    const worker = await addWorker();
    await publishModels(db, worker, ['q1', 'q2'], [model('a', undefined, ['x', 'y']), model('b')], '3');
    expect(await served(worker)).toEqual(['a', 'b']);
    await publishModels(db, worker, ['q2'], [model('b'), model('c')], '4');
    expect(await served(worker)).toEqual(['b', 'c']);
    expect(await db.query(`SELECT queues, scan_epoch AS epoch FROM workers WHERE id = $1`, [worker])).toEqual([
      { queues: ['q2'], epoch: '4' },
    ]);
    expect(await findModel(db, DEFAULT_PROJECT_ID, 'b')).toMatchObject({ contextLength: 512, workers: 1 });
    // What is known of a model stays: stored jobs refer to it.
    expect(await db.query(`SELECT a.name FROM adapters a JOIN models m ON m.id = a.model_id WHERE m.name = 'a' ORDER BY 1`)).toEqual([
      { name: 'x' },
      { name: 'y' },
    ]);
  });

  it('share one row per model and identity, also when they publish at once and in different orders', async () => {
    const workers = await Promise.all(Array.from({ length: 8 }, addWorker));
    const models = ['m1', 'm2', 'm3'].map((name) => model(name, undefined, ['x', 'y']));
    await Promise.all(workers.map((worker, index) => publishModels(db, worker, [], index % 2 ? models : models.toReversed(), '0')));
    await publishModels(db, workers[0]!, [], [model('m1', 'sha256:other')], '0');
    expect(await db.query(`SELECT name, count(*)::int AS n FROM models WHERE name LIKE 'm_' GROUP BY 1 ORDER BY 1`)).toEqual([
      { name: 'm1', n: 2 },
      { name: 'm2', n: 1 },
      { name: 'm3', n: 1 },
    ]);
  });

  it('hear of a scan with their heartbeat, and that they were forgotten', async () => {
    const worker = await addWorker();
    await db.query(`UPDATE control SET scan_epoch = scan_epoch + 1`);
    const scanEpoch = await readScanEpoch(db);
    expect(await heartbeatWorker(db, worker)).toEqual({ scanEpoch });
    await removeWorker(db, worker);
    expect(await heartbeatWorker(db, worker)).toBeNull();
  });

  it('are forgotten with what they serve when they were silent for too long', async () => {
    await db.query('DELETE FROM workers');
    const [dead, alive] = [await addWorker(), await addWorker()];
    await publishModels(db, dead, [], [model('z')], '0');
    await db.query(`UPDATE workers SET heartbeat_at = now() - interval '1 min' WHERE id = $1`, [dead]);
    expect(await removeDeadWorkers(db, 30_000)).toBe(1);
    expect(await served(dead)).toEqual([]);
    await drainWorker(db, alive);
    expect(await db.query(`SELECT id, draining FROM workers`)).toEqual([{ id: alive, draining: true }]);
  });
});
