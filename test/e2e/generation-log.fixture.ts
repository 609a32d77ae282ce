import { type Queryable } from '@kiln/database';
import { deriveSeed } from '@kiln/provenance';
import { expect } from 'vitest';
import { type StubCall } from './stub-endpoint.fixture.js';

/** Endpoints are sent this many bits of a sample's seed. */
const SEED_BITS = 31;

interface StoredSample {
  key: string;
  index: number;
  model: string;
  storedAt: Date;
}

/**
 * Holds the generation log against the record: every stored sample was generated, with the seed that is derived for it, and none
 * was generated again after it was stored. (Both clocks are this machine's; a trace's time is the start of its transaction.)
 *
 * @returns how many generations came to nothing: what faults cost
 */
export async function checkGenerationLog(db: Queryable, jobId: string, calls: readonly StubCall[]): Promise<number> {
  const [job] = await db.query<{ seed: string }>(`SELECT effective_seed::text AS seed FROM jobs WHERE id = $1`, [jobId]);
  const samples = await db.query<StoredSample>(
    `SELECT v.example_key AS key, t.completion_index AS index, g.definition->>'model' AS model, t.created_at AS "storedAt"
       FROM traces t JOIN runs r ON r.id = t.run_id JOIN targets g ON g.id = r.target_id JOIN jobs j ON j.id = r.job_id
       JOIN suite_version_examples v ON v.version_id = j.suite_version_id AND v.ordinal = t.ordinal
      WHERE j.id = $1`,
    [jobId],
  );
  const bySample = new Map<string, StubCall[]>();
  for (const call of calls) {
    const id = `${call.model} ${call.prompt} ${call.seed}`;
    bySample.set(id, [...(bySample.get(id) ?? []), call]);
  }
  const flaws: string[] = [];
  for (const { key, index, model, storedAt } of samples) {
    const seed = Number(BigInt.asUintN(SEED_BITS, deriveSeed(BigInt(job!.seed), key, index)));
    const generations = bySample.get(`${model} ${key} ${seed}`) ?? [];
    if (!generations.some((call) => call.answeredAt !== null)) flaws.push(`${model} ${key}#${index} is stored and was never generated`);
    const again = generations.filter((call) => call.at > storedAt.getTime());
    if (again.length > 0) flaws.push(`${model} ${key}#${index} was stored at ${storedAt.getTime()} and generated again at ${again[0]!.at}`);
  }
  expect(flaws).toEqual([]);
  return calls.length - samples.length;
}
