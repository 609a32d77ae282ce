import { GateRequest, type OutcomeKind, type RunResponse, Verdict, type VerdictList } from '@kiln/contracts';
import { finishJob, readFinishingJob } from '@kiln/database';
import { canonicalJson } from '@kiln/provenance';
import { computeResults } from '@kiln/results';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { work } from '../jobs/work.fixture.js';
import { additions } from '../suites/suite.fixture.js';
import { startApi, type TestApi } from '../test-api.fixture.js';

const EXAMPLES = 30;
const GATES: GateRequest[] = [
  { policy: 'paired_wilson_v1', min_accuracy: 0.5 },
  GateRequest.parse({ policy: 'objective_gates_v1' }),
  { policy: 'hillclimb_v1' },
];

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  const suite = additions('sums', EXAMPLES);
  const examples = suite.examples.map((example, n) => ({
    ...example,
    split: n < 12 ? 'train' : 'test',
    category: n < 5 ? 'tool_heavy' : 'chat',
    cluster: `c${n % 4}`,
  }));
  await api.send('/v1/eval/suites', { body: { ...suite, examples } });
});
afterAll(() => api.close());

/** The base model passes every third example, the candidate all but one, which is this kind. */
async function submitted(gate: GateRequest | undefined, odd: OutcomeKind = 'fail'): Promise<string> {
  const body = { suite: 'sums', adapters: ['', 'good'], seed: '42', reuse: 'never', ...(gate ? { gate } : {}) };
  const { body: answer } = await api.send<RunResponse>('/v1/eval/compare', { body });
  await work(api, answer.job_id, (ordinal, _index, run) => {
    const kind = ordinal === 7 && run === 1 ? odd : run === 1 || ordinal % 3 === 0 ? 'pass' : 'fail';
    return kind === 'error' ? { kind, error: { code: 'engine_lost', message: 'gone' } } : { kind };
  });
  return answer.job_id;
}

/** Ends a job as the scheduler does: computes its results from the rows, and writes them. */
async function finish(jobId: string): Promise<void> {
  const job = await readFinishingJob(api.database, jobId);
  if (!job) throw new Error(`no job ${jobId}`);
  const { runs, comparisons } = await computeResults(api.database, job, { state: 'completed', gate: job.gate });
  const measured = runs.map(({ run, metrics }) => ({ runId: run.id, metrics }));
  await finishJob(api.database, { jobId, projectId: job.projectId, state: 'completed', runs: measured, comparisons: [...comparisons] });
}

const decide = (jobId: string, gate: unknown, key?: string) =>
  api.send<VerdictList>(`/v1/eval/jobs/${jobId}/verdict`, { body: gate, ...(key === undefined ? {} : { key }) });

const storedBodies = (jobId: string) => api.database.query<{ body: string }>(`SELECT body FROM verdicts WHERE job_id = $1`, [jobId]);

describe('POST /v1/eval/jobs/{id}/verdict', () => {
  it.each(GATES)('recomputes the stored verdict of $policy from the raw rows, byte for byte', async (gate) => {
    const jobId = await submitted(gate, 'error');
    await finish(jobId);
    const stored = await storedBodies(jobId);
    expect(stored).toHaveLength(1);
    const { status, body } = await decide(jobId, gate);
    expect(status).toBe(200);
    expect(body.job_id).toBe(jobId);
    expect(body.verdicts.map((verdict) => canonicalJson(verdict))).toEqual(stored.map((row) => row.body));
    expect(Verdict.parse(body.verdicts[0]).error_bounds?.errors).toEqual({
      baseline: { samples: 0, examples: 0 },
      candidate: { samples: 1, examples: 1 },
    });
  });

  it('decides by any policy and stores nothing, on a job without a gate too', async () => {
    const jobId = await submitted(undefined);
    await finish(jobId);
    const [wilson, objective, hillclimb] = [
      await decide(jobId, { min_accuracy: 0.5 }),
      await decide(jobId, GATES[1]),
      await decide(jobId, GATES[2]),
    ];
    expect(wilson.body.verdicts).toMatchObject([{ policy_version: 'paired_wilson_v1', outcome: 'kept' }]);
    expect(objective.body.verdicts).toMatchObject([
      { outcome: 'inconclusive', evidence: { decision: 'no_regressions', categories: [{ category: 'chat' }, { category: 'tool_heavy' }] } },
    ]);
    expect(hillclimb.body.verdicts).toMatchObject([
      { outcome: 'kept', evidence: { decision: 'keep', rule: 'all_improved', train: { cases: 12 }, test: { cases: 18 } } },
    ]);
    expect(await storedBodies(jobId)).toEqual([]);
  });

  it('reads what samples cost and took from their traces', async () => {
    const jobId = await submitted(undefined);
    await finish(jobId);
    const { body } = await decide(jobId, { policy: 'objective_gates_v1' });
    expect(body.verdicts[0]?.evidence).toMatchObject({
      baseline: { mean_rounds: 1, mean_cost_per_task_usd: 1.5e-6, mean_latency_ms: 12.5 },
      completeness: { ok_samples: 60, expected_samples: 60, pairs: 30, pairs_judged: 0 },
    });
  });

  it('refuses jobs that have not finished, have one target, or are not there', async () => {
    const unfinished = await submitted(GATES[0]);
    expect(await decide(unfinished, GATES[0])).toMatchObject({ status: 409, body: { error: { code: 'eval_job_in_use' } } });
    const { body } = await api.send<RunResponse>('/v1/eval/run', { body: { suite: 'sums', adapter: '' } });
    await work(api, body.job_id, () => ({ kind: 'pass' }));
    await finish(body.job_id);
    const single = await decide(body.job_id, GATES[0]);
    expect(single).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('one target') } } });
    const absent = '0190c2f0-0000-7000-8000-000000000000';
    expect(await decide(absent, GATES[0])).toMatchObject({ status: 404, body: { error: { code: 'eval_job_not_found' } } });
    expect((await decide('nonsense', GATES[0])).status).toBe(404);
    expect(await decide(absent, { policy: 'hillclimb_v1', min_accuracy: 1 })).toMatchObject({ status: 400 });
  });

  describe('on a rescore', () => {
    const rescored = async (scorers: object[]): Promise<string> => {
      const source = await submitted(undefined);
      await finish(source);
      const { body } = await api.send<RunResponse>(`/v1/eval/jobs/${source}/rescore`, { body: { scorers } });
      await work(api, body.job_id, (_ordinal, _index, run) => ({ kind: run === 0 ? 'fail' : 'pass' }));
      await api.database.query(`UPDATE jobs SET state = 'completed', finished_at = now() WHERE id = $1`, [body.job_id]);
      return body.job_id;
    };
    const numeric = { scorer: { kind: 'numeric_tolerance' } };

    it('never takes another scorer for a better model', async () => {
      const jobId = await rescored([numeric, { scorer: { kind: 'numeric_tolerance', rtol: 0.5 } }]);
      const { status, body } = await decide(jobId, GATES[0]);
      expect(status).toBe(400);
      expect(body).toMatchObject({ error: { message: expect.stringContaining('different scorers') } });
    });

    it('proves the scorer that scored, not the suite’s', async () => {
      const loose = await decide(await rescored([{ scorer: { kind: 'regex', pattern: '.' } }]), GATES[0]);
      expect(loose).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining('accepts wrong answers') } } });
      expect(await decide(await rescored([numeric]), GATES[0])).toMatchObject({ status: 200, body: { verdicts: [{}] } });
    });
  });

  it('needs eval:read and nothing more', async () => {
    const jobId = await submitted(undefined);
    await finish(jobId);
    const before = await api.rowCounts();
    const [reader, runner] = [await api.makeKey(['eval:read']), await api.makeKey(['eval:run'])];
    expect((await decide(jobId, GATES[0], reader.token)).status).toBe(200);
    expect((await decide(jobId, GATES[0], runner.token)).status).toBe(403);
    expect(await api.rowCounts()).toEqual({ ...before, api_keys: before['api_keys']! + 2, audit_log: before['audit_log']! + 2 });
  });
});
