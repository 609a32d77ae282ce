import { describe, expect, it } from 'vitest';
import { type ConfinedRun, readReport, runFailure, withConfinement } from './confined-run.js';

const ran: ConfinedRun = {
  ok: true,
  exitCode: 0,
  signal: null,
  stdout: '',
  stderr: '',
  timedOut: false,
  outputLimit: false,
  durationMs: 1,
  confinement: 'bubblewrap',
};

describe('runFailure', () => {
  it.each([
    [{ ok: false, code: 'sandbox_unavailable', message: 'none' } as const, 'sandbox_unavailable'],
    [{ ok: false, code: 'sandbox_failed', message: 'none' } as const, 'sandbox_failed'],
    [{ ...ran, timedOut: true, exitCode: null, signal: 'SIGKILL' }, 'timeout'],
    [{ ...ran, exitCode: null, signal: 'SIGKILL' }, 'killed'],
    [{ ...ran, exitCode: 137 }, 'killed'],
  ])('%o is an error: %s', (result, reason) => {
    expect(runFailure(result)).toMatchObject({ kind: 'error', score: 0, detail: { reason } });
  });

  it.each([
    ['an exit code', { ...ran, exitCode: 1 }],
    ['a crash', { ...ran, exitCode: 139 }],
    ['too much output, which is ended with the same signal', { ...ran, exitCode: null, signal: 'SIGKILL', outputLimit: true }],
  ])('%s is not', (_, result) => expect(runFailure(result)).toBeNull());
});

describe('readReport', () => {
  it('takes lines of the token alone, whole ones, in order', () => {
    const stdout = 'T1{"a":1}\n{"a":2}\n x T1{"a":3}\nT1[4]\nT1null\nT2{"a":5}\nT1{"a":6}\nT1{"a":';
    expect(readReport({ ...ran, stdout }, 'T1')).toEqual([{ a: 1 }, { a: 6 }]);
    expect(readReport(ran, 'T1')).toEqual([]);
  });
});

describe('withConfinement', () => {
  it('warns of a run without a sandbox', () => {
    expect(withConfinement(ran, { a: 1 })).toEqual({ a: 1 });
    expect(withConfinement({ ...ran, confinement: 'process' }, { a: 1 })).toEqual({ a: 1, warning: 'ran_without_sandbox' });
  });
});
