import { describe, expect, it } from 'vitest';
import { isTransient, retryTransient } from './transient.js';

const withCode = (code: string): Error => Object.assign(new Error(code), { code });

describe('isTransient', () => {
  it.each([
    '08006',
    '08001',
    '57P01',
    '57P02',
    '57P03',
    '57P05',
    '40001',
    '40P01',
    '53300',
    '53100',
    '55P03',
    '25P03',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'EHOSTUNREACH',
  ])('says yes to %s', (code) => {
    expect(isTransient(withCode(code))).toBe(true);
  });

  it.each(['23505', '23514', '42601', '42P01', '57014', '22P02', '25P02', 'EACCES'])('says no to %s', (code) => {
    expect(isTransient(withCode(code))).toBe(false);
  });

  it.each([
    new Error('Connection terminated unexpectedly'),
    new Error('Connection terminated due to connection timeout'),
    new Error('timeout exceeded when trying to connect'),
    new Error('Query read timeout'),
    new AggregateError([withCode('ECONNREFUSED'), new Error('x')]),
  ])('knows the errors of the client: %s', (error) => {
    expect(isTransient(error)).toBe(true);
  });

  it.each([new Error('boom'), new AggregateError([new Error('x')]), 'ECONNRESET', null, undefined])('says no to %s', (error) => {
    expect(isTransient(error)).toBe(false);
  });
});

describe('retryTransient', () => {
  it('tries again until it works', async () => {
    let calls = 0;
    const work = async (): Promise<number> => {
      calls += 1;
      if (calls < 3) throw withCode('57P01');
      return calls;
    };
    expect(await retryTransient(work, 10_000)).toBe(3);
  });

  it('throws what is not transient at once', async () => {
    let calls = 0;
    await expect(
      retryTransient(async () => {
        calls += 1;
        throw withCode('23505');
      }, 10_000),
    ).rejects.toMatchObject({ code: '23505' });
    expect(calls).toBe(1);
  });

  it('throws the last error when its time is over', async () => {
    const startedAt = performance.now();
    await expect(retryTransient(() => Promise.reject(withCode('57P03')), 200)).rejects.toMatchObject({ code: '57P03' });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
