import { describe, expect, it } from 'vitest';
import { clockSkew } from './clock-skew.js';

describe('clockSkew', () => {
  it.each([
    // sent, database, received, expected: local clock minus database clock
    [1_000, 1_000, 1_000, 0],
    [11_000, 1_000, 11_000, 10_000],
    [1_000, 11_000, 1_000, -10_000],
    // The answer took 2 s, so the clocks may agree.
    [1_000, 1_000, 3_000, 0],
    [1_000, 3_000, 3_000, 0],
    [1_000, 5_000, 3_000, -2_000],
  ])('sent %i, database %i, received %i: %i', (sentAt, databaseAt, receivedAt, expected) => {
    expect(clockSkew(sentAt, databaseAt, receivedAt)).toBeCloseTo(expected, 9);
  });
});
