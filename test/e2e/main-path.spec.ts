import { type SuiteInput } from '@kiln/contracts';
import { requireProgram } from '@kiln/testing';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { checkInvariants } from './check-invariants.fixture.js';
import { useFleet } from './fleet.fixture.js';
import { numberSuite, promptOf } from './number-suite.fixture.js';
import { recomputeResults, storedResults } from './recompute-results.fixture.js';
import { recountMetrics, wilson } from './recount-metrics.fixture.js';
import { readShardHistory } from './shard-history.fixture.js';
import { until } from './until.fixture.js';

const ARITHMETIC = new URL('../../suites/arithmetic-200.json', import.meta.url);

describe.each([
  { backend: 'redis', missing: requireProgram('redis-server') === null },
  { backend: 'postgres', missing: false },
] as const)('the path of a job, messages on $backend', ({ backend, missing }) => {
  describe.skipIf(missing)('with real processes', () => {
    const fleet = useFleet({ backend });

    it('runs a suite and reads its result back', async () => {
      const k = 3;
      const examples = 60;
      // Every third example expects something else, so that the rates say something.
      const suite = numberSuite({ name: 'path-run', examples, k, expected: (at) => (at % 3 === 0 ? 'another' : promptOf(at)) });
      await fleet.client.registerSuite(suite);
      const { job_id: jobId, effective_seed: seed } = await fleet.client.run({ suite: 'path-run', model: 'echo', adapter: '', seed: 42 });
      expect(seed).toBe('42');
      const job = await fleet.client.waitForEnd(jobId);
      expect(job).toMatchObject({ state: 'completed', stop_reason: null, error: null });
      expect(job.progress).toMatchObject({ examples_completed: examples, samples_completed: examples * k });

      const outcomes = await fleet.client.outcomes(jobId);
      expect(outcomes.map((row) => [row.example_id, row.completion_index])).toEqual(
        Array.from({ length: examples * k }, (_, at) => [promptOf(Math.floor(at / k)), at % k]),
      );
      expect(new Set(outcomes.map((row) => row.generation_seed)).size).toBe(examples * k);
      expect(outcomes.every((row) => row.completion_text === row.example_id)).toBe(true);

      const aggregated = await fleet.client.aggregatedOutcomes(jobId);
      expect(aggregated.map((row) => [row.example_id, row.kind, row.score])).toEqual(
        Array.from({ length: examples }, (_, at) => [promptOf(at), at % 3 === 0 ? 'fail' : 'pass', at % 3 === 0 ? 0 : 1]),
      );

      const metrics = job.runs[0]!.metrics!;
      const recount = recountMetrics(outcomes, (id) => suite.examples.find((example) => example.id === id)!.weight!);
      expect(metrics).toMatchObject({
        ...recount,
        weighted_mean_score: expect.closeTo(recount.weighted_mean_score, 12) as number,
        latency_ms: { ...recount.latency_ms, mean: expect.closeTo(recount.latency_ms.mean, 9) as number },
        cost_usd: '0',
        priced_fraction: 1,
        coverage: { complete_examples: examples, total_examples: examples, fraction: 1 },
      });
      const interval = wilson(40, 60);
      expect(metrics.accuracy_confidence_interval!.lower).toBeCloseTo(interval.lower, 12);
      expect(metrics.accuracy_confidence_interval!.upper).toBeCloseTo(interval.upper, 12);
      expect(Object.fromEntries(Object.entries(metrics.tag_breakdown).map(([tag, slice]) => [tag, slice.counts.pass]))).toEqual({
        even: 20,
        odd: 20,
      });
      await checkInvariants(fleet.db, jobId);
    });

    it('compares a model with its adapter under a gate, and the verdict can be recomputed', async () => {
      const suite = JSON.parse(await readFile(ARITHMETIC, 'utf8')) as SuiteInput;
      await fleet.client.registerSuite({ ...suite, name: 'path-compare', examples: suite.examples.slice(0, 60) });
      const { job_id: jobId } = await fleet.client.compare({
        suite: 'path-compare',
        model: 'tiny-arith',
        adapters: ['', 'math-v2'],
        gate: { min_accuracy: 0.3, min_absolute_gain: -1 },
        seed: 42,
      });
      const job = await fleet.client.waitForEnd(jobId, 120_000);
      expect(job).toMatchObject({ state: 'completed', error: null });
      const [comparison] = await fleet.client.comparisons(jobId);
      const [baseline, candidate] = [await fleet.client.outcomes(jobId, 0), await fleet.client.outcomes(jobId, 1)];
      const passes = (rows: typeof baseline): number => rows.filter((row) => row.kind === 'pass').length;
      const flips = (from: string, to: string): string[] =>
        baseline.flatMap((row, at) =>
          (row.kind === 'pass') === (from === 'pass') && (candidate[at]!.kind === 'pass') === (to === 'pass') ? [row.example_id] : [],
        );
      expect(comparison).toMatchObject({
        pairs: { paired_examples: 60, baseline_passes: passes(baseline), candidate_passes: passes(candidate) },
        improved: flips('fail', 'pass'),
        regressed: flips('pass', 'fail'),
        unpaired_examples: 0,
      });
      // The adapter is the better one by a wide margin: models/README.md.
      expect(passes(candidate)).toBeGreaterThan(passes(baseline));
      expect(job.verdicts).toHaveLength(1);
      expect(job.verdicts[0]).toMatchObject({ policy_version: 'paired_wilson_v1', outcome: 'kept', evidence: { paired_examples: 60 } });
      const stored = await storedResults(fleet.db, jobId);
      expect(stored.verdicts).toHaveLength(1);
      expect(JSON.parse(stored.verdicts[0]!)).toEqual(job.verdicts[0]);
      expect(await recomputeResults(fleet.db, jobId)).toEqual(stored);
      await checkInvariants(fleet.db, jobId);
    });

    it('cancels a job that runs, and keeps what it has', async () => {
      const { stub, client, db } = fleet;
      const k = 2;
      await client.registerSuite(numberSuite({ name: 'path-cancel', examples: 40, k }));
      // Shards of 10 samples: one is complete, and the next stops in the middle of an example.
      stub.holdAfter(13);
      const target = stub.target('slow', { concurrency: 2 });
      const { job_id: jobId } = await client.run({ suite: 'path-cancel', target });
      await until('everything that may be answered is answered, and the rest waits', () => stub.answered === 13 && stub.held === 2);

      const cancelled = await client.cancel(jobId);
      const cancelledAt = Date.now();
      expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelling', was_in_queue: false } });
      const job = await client.waitForEnd(jobId);
      expect(job).toMatchObject({ state: 'cancelled', stop_reason: 'cancelled' });

      const claims = (await readShardHistory(db, jobId)).filter((change) => change.to === 'leased');
      expect(claims.length).toBeGreaterThan(0);
      expect(claims.filter((claim) => claim.at.getTime() > cancelledAt)).toEqual([]);
      expect(stub.answered).toBe(13);
      expect(stub.held).toBe(0);

      const outcomes = await client.outcomes(jobId);
      expect(outcomes).toHaveLength(13);
      const complete = new Set(
        outcomes.filter((row) => outcomes.filter((other) => other.example_id === row.example_id).length === k).map((row) => row.example_id),
      );
      const aggregated = await client.aggregatedOutcomes(jobId);
      expect(aggregated.map((row) => row.example_id)).toEqual([...complete]);
      expect(job.runs[0]!.metrics).toMatchObject({
        num_examples: complete.size,
        num_completions: 13,
        coverage: { complete_examples: complete.size, total_examples: 40, fraction: complete.size / 40 },
      });
      await checkInvariants(db, jobId);

      expect(await client.cancel(jobId)).toMatchObject({ status: 200, body: { status: 'unchanged', state: 'cancelled' } });
      expect(await client.job(jobId)).toEqual(job);
    });
  });
});
