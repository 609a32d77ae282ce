import { KilnError, type GateOutcome, type JobState, type ReplayVerdict, type Verdict } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { ServerUnreachableError } from './client/server-unreachable-error.js';
import { exitCodeOfError, exitCodeOfJob } from './exit-code.js';

describe('exitCodeOfError', () => {
  it.each([
    ['anything unexpected', new Error('x'), 1],
    ['bad input', new KilnError('eval_invalid_request', 'x'), 2],
    ['a suite that is too large', new KilnError('payload_too_large', 'x'), 2],
    ['no server', new ServerUnreachableError('http://x', 'refused', null), 3],
    ['no such suite', new KilnError('eval_suite_not_found', 'x'), 4],
    ['no such job', new KilnError('eval_job_not_found', 'x'), 4],
    ['no such adapter', new KilnError('adapter_not_found', 'x'), 4],
    ['a suite that exists', new KilnError('eval_suite_exists', 'x'), 1],
    ['a key that is refused', new KilnError('unauthorized', 'x'), 1],
    ['a full queue', new KilnError('eval_queue_full', 'x'), 1],
  ])('of %s', (_what, error, code) => {
    expect(exitCodeOfError(error)).toBe(code);
  });
});

describe('exitCodeOfJob', () => {
  const job = (state: JobState, ...outcomes: GateOutcome[]) => ({
    kind: 'compare' as const,
    state,
    verdicts: outcomes.map((outcome) => ({ outcome }) as Verdict),
    replay_verdict: null,
  });
  const replay = (status: ReplayVerdict['status'] | null, state: JobState = 'completed') => ({
    ...job(state),
    kind: 'replay' as const,
    replay_verdict: status === null ? null : ({ status } as ReplayVerdict),
  });

  it.each([
    ['completed, no gate', job('completed'), 0],
    ['kept', job('completed', 'kept'), 0],
    ['promoted', job('completed', 'promoted'), 0],
    ['inconclusive', job('completed', 'inconclusive'), 5],
    ['regression', job('completed', 'regression'), 6],
    ['demoted', job('completed', 'demoted'), 6],
    ['undecidable', job('completed', 'error'), 1],
    ['one of several failed', job('completed', 'kept', 'inconclusive', 'demoted'), 6],
    ['one of several inconclusive', job('completed', 'kept', 'inconclusive'), 5],
    ['capped, whatever the verdict says', job('capped', 'error'), 7],
    ['cancelled', job('cancelled'), 7],
    ['failed', job('failed'), 1],
    ['a replay that matched', replay('matched'), 0],
    ['a replay that did not', replay('mismatch'), 8],
    ['a replay with nothing to compare', replay('error'), 1],
    ['a replay without a verdict', replay(null), 1],
    ['a replay that failed', replay(null, 'failed'), 1],
    ['a replay that was cancelled', replay('error', 'cancelled'), 7],
  ])('%s', (_what, finished, code) => {
    expect(exitCodeOfJob(finished)).toBe(code);
  });
});
