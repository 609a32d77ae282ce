import { admitEchoJob, startPostgres } from '@kiln/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.js';
import { readShards } from './shard-flow.fixture.js';
import { ShardModel } from './shard-model.fixture.js';
import { commands, ShardPair } from './shard-pair.fixture.js';

const jobs = fc.record({
  examples: fc.integer({ min: 1, max: 6 }),
  k: fc.integer({ min: 1, max: 2 }),
  shardExamples: fc.integer({ min: 1, max: 5 }),
  concurrency: fc.option(fc.integer({ min: 1, max: 3 })),
  costCap: fc.option(fc.integer({ min: 5, max: 70 }), { freq: 2 }),
  costBound: fc.constant(10),
});

describe('the record of a job', () => {
  let db: Database;
  beforeAll(async () => {
    db = openDatabase(await (await startPostgres()).createDatabase(), { max: 4 });
  });
  afterAll(() => db.close());

  it('is what the model says, after every command of any sequence, and comes to rest', async () => {
    await fc.assert(
      fc.asyncProperty(jobs, commands, async (admitted, sequence) => {
        const job = await admitEchoJob(db, {
          ...admitted,
          costBoundNano: BigInt(admitted.costBound),
          costCapNano: admitted.costCap === null ? null : BigInt(admitted.costCap),
        });
        const ids = new Map((await readShards(db, job.jobId)).map((shard) => [shard.first, shard.id]));
        const pair = new ShardPair(db, job, new ShardModel(admitted), ids);
        for (const command of sequence) {
          await pair.run(command);
          await pair.compare();
        }
        await pair.drain();
        // I1, I10: every sample has one outcome or belongs to a shard that says why not; nothing is held; the job has ended.
        expect(pair.model.held).toBe(0);
        expect(['completed', 'capped', 'cancelled']).toContain(pair.model.state);
        if (pair.model.stopReason === null) {
          const [row] = await db.query(`SELECT count(*)::int AS n FROM outcomes WHERE run_id = $1`, [job.runIds[0]]);
          expect(row).toEqual({ n: admitted.examples * admitted.k });
        }
      }),
      { numRuns: 30, endOnFailure: true, interruptAfterTimeLimit: 15_000 },
    );
  });
});
