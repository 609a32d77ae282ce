import { type SuiteInput } from '@kiln/contracts';
import { requireProgram } from '@kiln/testing';
import { describe, expect, it } from 'vitest';
import { errorCode } from './api-client.fixture.js';
import { checkInvariants } from './check-invariants.fixture.js';
import { useFleet } from './fleet.fixture.js';
import { numberSuite, promptOf } from './number-suite.fixture.js';
import { until } from './until.fixture.js';

const JUDGE = { kind: 'llm_judge', template: 'Grade {answer} against {target}. End with "Score: 0" or "Score: 1".' } as const;
const PRICED = { kind: 'per_token', input: '1000', output: '1000' } as const;

/** Number of the example that a judge's prompt is about. */
function subjectOf(prompt: string): number {
  return Number(/q-(\d{4})/.exec(prompt)![1]);
}

describe.skipIf(requireProgram('redis-server') === null)('scoring in shards of its own', () => {
  const fleet = useFleet({ workers: 2, slots: 4 });

  function judgedSuite(name: string, examples: number, scorer: SuiteInput['default_scorer'] = JUDGE): SuiteInput {
    return { ...numberSuite({ name, examples }), default_scorer: scorer };
  }

  it('asks a judge about stored answers, counts what it used, and keeps its outage apart from a fail', async () => {
    const { stub, client, db } = fleet;
    stub.reset();
    stub.answer = ({ prompt }) => `It is ${subjectOf(prompt) % 3 === 0 ? 'wrong. Score: 0' : 'right. Score: 1'}`;
    stub.failure = ({ prompt }) => (subjectOf(prompt) === 5 ? 400 : null);
    stub.usage = () => ({ prompt_tokens: 40, completion_tokens: 2 });
    await client.registerSuite(judgedSuite('judged', 12));
    const judge = stub.target('judge', { pricing: PRICED });
    const { job_id: jobId } = await client.run({ suite: 'judged', model: 'echo', adapter: '', judge, cost_cap: '50' });
    const job = await client.waitForEnd(jobId);
    expect(job).toMatchObject({ state: 'completed', error: null });
    expect(job.progress).toMatchObject({ samples_generated: 12, samples_completed: 12 });
    const outcomes = await client.outcomes(jobId);
    expect(outcomes.map(({ kind }) => kind)).toEqual(
      Array.from({ length: 12 }, (_, at) => (at === 5 ? 'error' : at % 3 === 0 ? 'fail' : 'pass')),
    );
    // The answer that could not be judged is there, and can be judged later.
    expect(outcomes[5]!.completion_text).toBe(promptOf(5));
    expect(job.runs[0]!.metrics).toMatchObject({ accuracy: 7 / 12, counts: { pass: 7, fail: 4, error: 1 }, cost_usd: '0' });
    expect(job.runs[0]!.judges).toMatchObject([{ kind: 'endpoint', model: 'judge' }]);
    expect(Number(job.spend.known_usd)).toBeCloseTo(11 * 0.042, 9);
    expect(job.spend).toMatchObject({ reserved_usd: '0' });
    expect(stub.calls.filter(({ prompt }) => subjectOf(prompt) !== 5)).toHaveLength(11);
    await checkInvariants(db, jobId);

    stub.failure = () => null;
    stub.calls.length = 0;
    const { job_id: again } = await client.rescore(jobId, { scorers: [{ scorer: JUDGE }], judge, cost_cap: '50' });
    const rescored = await client.waitForEnd(again);
    expect(rescored).toMatchObject({ kind: 'rescore', state: 'completed', source_job_id: jobId });
    expect((await client.outcomes(again))[5]).toMatchObject({ kind: 'pass', completion_text: promptOf(5) });
    expect(rescored.runs[0]!.metrics!.counts).toMatchObject({ pass: 8, fail: 4, error: 0 });
    expect(stub.calls, 'each trace was judged once; only the one that failed is asked about again').toHaveLength(1);
    await checkInvariants(db, again);
  });

  it('stops at its cost cap before a judge is asked for more', async () => {
    const { stub, client, db } = fleet;
    stub.reset();
    stub.answer = () => 'Score: 1';
    stub.usage = () => ({ prompt_tokens: 100, completion_tokens: 10 });
    await client.registerSuite(judgedSuite('judged-capped', 30, { ...JUDGE, max_tokens: 16 }));
    const judge = stub.target('judge', { pricing: PRICED, concurrency: 1 });
    const { job_id: jobId } = await client.run({ suite: 'judged-capped', model: 'echo', adapter: '', judge, cost_cap: '5' });
    const job = await client.waitForEnd(jobId);
    expect(job).toMatchObject({ state: 'capped', stop_reason: 'cost_cap' });
    expect(Number(job.spend.known_usd)).toBeLessThanOrEqual(5);
    const { metrics } = job.runs[0]!;
    expect(metrics!.num_examples).toBeGreaterThan(0);
    expect(metrics!.num_examples).toBeLessThan(30);
    await checkInvariants(db, jobId);
  });

  it('survives the death of the worker that judges: no judgment is lost, and at most those in flight are asked for twice', async () => {
    const { stub, client, db } = fleet;
    stub.reset();
    stub.answer = () => 'Score: 1';
    await client.registerSuite(judgedSuite('judged-killed', 40));
    stub.holdAfter(12);
    const { job_id: jobId } = await client.run({ suite: 'judged-killed', model: 'echo', adapter: '', judge: stub.target('judge') });
    await until('judgments are stored, and more are under way', async () => {
      const [row] = await db.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM outcomes o JOIN runs r ON r.id = o.run_id WHERE r.job_id = $1`,
        [jobId],
      );
      return row!.n >= 12 && stub.held > 0 ? true : null;
    });
    const killed = fleet.workers.filter((worker) => worker.isRunning);
    for (const worker of killed) await worker.kill();
    stub.release();
    await fleet.addWorker();
    const job = await client.waitForEnd(jobId);
    expect(job.runs[0]!.metrics!.counts).toMatchObject({ pass: 40 });
    expect(stub.calls.length).toBeLessThanOrEqual(40 + 28);
    await checkInvariants(db, jobId);
  });

  it('measures one judge against another on the same traces', async () => {
    const { stub, client } = fleet;
    stub.reset();
    stub.answer = ({ model, prompt }) => (model === 'strict' && subjectOf(prompt) % 2 === 0 ? 'Score: 0' : 'Score: 1');
    await client.registerSuite(numberSuite({ name: 'calibrated', examples: 10 }));
    const { job_id: source } = await client.run({ suite: 'calibrated', model: 'echo', adapter: '' });
    await client.waitForEnd(source);
    const { job_id: jobId } = await client.rescore(source, {
      judge: stub.target('strict'),
      scorers: [
        { name: 'strict', scorer: JUDGE },
        { name: 'lenient', scorer: JUDGE, judge: stub.target('lenient') },
        { name: 'text', scorer: { kind: 'contains', phrases: ['q-'] } },
      ],
    });
    const job = await client.waitForEnd(jobId);
    expect(job.runs.map(({ name, metrics }) => [name, metrics!.accuracy])).toEqual([
      ['strict', 0.5],
      ['lenient', 1],
      ['text', 1],
    ]);
    expect(stub.calls).toHaveLength(20);
    const [lenient, text] = await client.comparisons(jobId);
    for (const comparison of [lenient, text]) {
      expect(comparison).toMatchObject({ pairs: { paired_examples: 10, improved: 5, regressed: 0 }, agreement: { rate: 0.5 } });
    }
  });

  it('refuses what could not be scored, before anything is stored', async () => {
    const { stub, client } = fleet;
    await client.registerSuite(judgedSuite('judged-refused', 2));
    const run = (request: object) => client.send('POST', '/v1/eval/run', { suite: 'judged-refused', ...request });
    const endpoint = stub.target('answers');
    expect(errorCode(await run({ target: endpoint }))).toBe('eval_invalid_request');
    const unpriced = { ...stub.target('judge'), pricing: { kind: 'unknown' } };
    expect(errorCode(await run({ model: 'echo', adapter: '', judge: unpriced }))).toBe('eval_invalid_request');
    expect(errorCode(await run({ model: 'echo', adapter: '', judge: { kind: 'model', model: 'none' } }))).toBe('model_not_found');
    const { job_id: source } = await client.run({ suite: 'judged-refused', model: 'echo', adapter: '', judge: stub.target('judge') });
    await client.waitForEnd(source);
    const rescore = (request: object) => client.send('POST', `/v1/eval/jobs/${source}/rescore`, request);
    expect(errorCode(await rescore({ scorers: [] }))).toBe('eval_invalid_request');
    expect(errorCode(await rescore({ scorers: [{ scorer: { kind: 'regex', pattern: '(' } }] }))).toBe('eval_invalid_request');
    expect(errorCode(await rescore({ scorers: [{ scorer: { kind: 'exact_match' } }], run_index: 1 }))).toBe('eval_invalid_request');
    const missing = await client.send('POST', '/v1/eval/jobs/0198c0de-0000-7000-8000-000000000000/rescore', {
      scorers: [{ scorer: { kind: 'exact_match' } }],
    });
    expect(errorCode(missing)).toBe('eval_job_not_found');
  });

  it('lets a local model judge, with an adapter', async () => {
    const { client, db } = fleet;
    const digit = { kind: 'llm_judge', template: '{answer} + 1?', score_regex: '(\\d)', max_tokens: 8 } as const;
    await client.registerSuite(judgedSuite('judged-locally', 6, { kind: 'all', scorers: [{ ...digit, judge_adapter: 'math-v2' }, digit] }));
    const judge = { kind: 'model', model: 'tiny-arith' };
    const { job_id: jobId } = await client.run({ suite: 'judged-locally', model: 'echo', adapter: '', judge });
    const job = await client.waitForEnd(jobId);
    expect(job.state).toBe('completed');
    expect(job.runs[0]!.judges).toMatchObject([
      { model: 'tiny-arith', adapter: null },
      { model: 'tiny-arith', adapter: 'math-v2' },
    ]);
    expect(job.runs[0]!.metrics!.counts).toMatchObject({ error: 0, skipped: 0 });
    expect(job.spend.tokens, 'the judges read and wrote').toBeGreaterThan(6 * 2 * 20);
    await checkInvariants(db, jobId);
  });

  it.skipIf(requireProgram('bwrap') === null)('runs the code of suites and models in a sandbox', async () => {
    const { client, db } = fleet;
    const code = 'def score(output, trace, reference_data, task_input):\n    return {"score": 1.0 if output.endswith("1") else 0.0}';
    await client.registerSuite(
      judgedSuite('sandboxed', 4, {
        kind: 'any',
        scorers: [
          { kind: 'code_eval', code },
          { kind: 'bash', script: 'test -n "$EVAL_RUN_ID" && test "$EVAL_CASE_ID" = "$EVAL_OUTPUT" && grep -q 2 "$EVAL_OUTPUT_FILE"' },
        ],
      }),
    );
    const { job_id: jobId } = await client.run({ suite: 'sandboxed', model: 'echo', adapter: '' });
    const job = await client.waitForEnd(jobId);
    expect(job).toMatchObject({ state: 'completed', error: null });
    expect((await client.outcomes(jobId)).map(({ kind }) => kind)).toEqual(['fail', 'pass', 'pass', 'fail']);
    await checkInvariants(db, jobId);
  });
});

describe.skipIf(requireProgram('redis-server') === null)('traces that other jobs have made', () => {
  const fleet = useFleet({ workers: 3, slots: 9 });

  it('25 jobs that want the same traces at once generate each of them once', async () => {
    const { stub, client, db } = fleet;
    stub.reset();
    stub.delayMs = 30;
    await client.registerSuite(numberSuite({ name: 'shared', examples: 8, k: 2 }));
    const target = stub.target('shared', { concurrency: 4, revision: '2026-11-01' });
    const submitted = await Promise.all(Array.from({ length: 25 }, () => client.run({ suite: 'shared', target, seed: 42 })));
    const jobs = await Promise.all(submitted.map(({ job_id: jobId }) => client.waitForEnd(jobId, 120_000)));
    expect(jobs.every(({ state, runs }) => state === 'completed' && runs[0]!.metrics!.counts.pass === 8)).toBe(true);
    expect(stub.calls, 'each of 16 samples was generated once').toHaveLength(16);
    // The evidence is that of the one generation; the budget was charged once.
    const spent = jobs.map(({ spend }) => spend.tokens);
    expect(spent.reduce((a, b) => a + b)).toBe(16 * 15);
    expect(new Set(jobs.map(({ runs }) => runs[0]!.metrics!.total_completion_tokens))).toEqual(new Set([80]));
    for (const { id } of jobs) await checkInvariants(db, id);

    const { job_id: other } = await client.run({ suite: 'shared', target, seed: 43 });
    await client.waitForEnd(other);
    expect(stub.calls, 'another seed is another trace').toHaveLength(32);
    const { job_id: fresh } = await client.run({ suite: 'shared', target, seed: 42, reuse: 'never' });
    await client.waitForEnd(fresh);
    expect(stub.calls).toHaveLength(48);
    const { job_id: unversioned } = await client.run({ suite: 'shared', target: stub.target('shared'), seed: 42 });
    await client.waitForEnd(unversioned);
    expect(stub.calls, 'without a revision nobody knows what answered').toHaveLength(64);
  });
});
