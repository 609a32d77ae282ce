import { type Job, type RawOutcome } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { JOB } from '../report/sample-report.fixture.js';
import { type ApiClient } from './api-client.js';
import { readUngraded } from './read-ungraded.js';

const outcome = (example_id: string, detail: unknown) => ({ example_id, detail }) as RawOutcome;
const ANSWERS: Readonly<Record<string, RawOutcome[]>> = {
  error: [
    outcome('a', { code: 'judge_unavailable', message: 'the judge is away' }),
    outcome('b', { code: 'judge_unavailable', message: 'the judge is away' }),
  ],
  invalid: [outcome('c', { reason: 'no_number' }), outcome('d', { reason: 'judge_unreadable', why: 'no_verdict' }), outcome('e', null)],
};

describe('readUngraded', () => {
  it('asks for what there is of each run, and counts it by reason', async () => {
    const asked: string[] = [];
    const call = (_route: string, { query }: { query: { run_index: number; kind: string[] } }) => {
      asked.push(`${query.run_index} ${query.kind.join()}`);
      return Promise.resolve({ outcomes: ANSWERS[query.kind[0]!], next_cursor: null });
    };
    const job: Job = { ...JOB, runs: JOB.runs.slice(0, 1) };
    const found = await readUngraded({ call } as unknown as ApiClient, job);
    expect(asked).toEqual(['0 error', '0 invalid']);
    expect(found.map(({ kind, reason, samples, firstExampleId }) => [kind, reason, samples, firstExampleId])).toEqual([
      ['error', 'judge_unavailable: the judge is away', 2, 'a'],
      ['invalid', 'no_number', 1, 'c'],
      ['invalid', 'judge_unreadable: no_verdict', 1, 'd'],
      ['invalid', 'no reason given', 1, 'e'],
    ]);
  });

  it('asks nothing of a job that is not finished', async () => {
    const call = () => Promise.reject(new Error('not to be called'));
    expect(await readUngraded({ call } as unknown as ApiClient, { ...JOB, finished_at: null })).toEqual([]);
  });
});
