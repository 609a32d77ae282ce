import { describe, expect, it } from 'vitest';
import { retryAfterMs, retryDelayMs } from './retry.js';

describe('retryDelayMs', () => {
  it.each([
    [0, 0, 500],
    [0, 0.999, 250],
    [3, 0, 4000],
    [30, 0, 20_000],
  ])('attempt %i, random %d: about %d ms', (attempt, random, expected) => {
    expect(retryDelayMs(attempt, null, random)).toBeCloseTo(expected, -1);
  });

  it('waits at least as long as the endpoint asks', () => {
    expect(retryDelayMs(0, 3000, 0)).toBe(3000);
    expect(retryDelayMs(9, 0, 0.5)).toBe(250);
  });
});

describe('retryAfterMs', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('%j', (headers, expected) => {
    expect(retryAfterMs(headers, now)).toBe(expected);
  });
});
