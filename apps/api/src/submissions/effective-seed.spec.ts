import { describe, expect, it } from 'vitest';
import { effectiveSeed } from './effective-seed.js';

const never = () => expect.unreachable('a seed was set');

describe('effectiveSeed', () => {
  it.each([
    ['the request', { seed: 42n, requestGeneration: '7', suiteGeneration: '9' }, 42n],
    ['zero, which is a seed', { seed: 0n, requestGeneration: '7', suiteGeneration: '9' }, 0n],
    ['its generation', { seed: undefined, requestGeneration: '7', suiteGeneration: '9' }, 7n],
    ['the suite', { seed: undefined, requestGeneration: undefined, suiteGeneration: '18446744073709551615' }, 2n ** 64n - 1n],
    ['the suite, under a generation without one', { seed: undefined, requestGeneration: null, suiteGeneration: '9' }, 9n],
  ])('%s decides', (_who, written, seed) => {
    expect(effectiveSeed(written, never)).toBe(seed);
  });

  it('is drawn when nobody set one', () => {
    expect(effectiveSeed({ seed: undefined, requestGeneration: null, suiteGeneration: null }, () => 5n)).toBe(5n);
  });
});
