import { describe, expect, it } from 'vitest';
import { readOptions } from './options.js';

describe('readOptions', () => {
  it('measures everything three times', () => {
    expect(readOptions([])).toEqual({ rounds: 3, quick: false, python: true, platform: true, json: false, help: false });
  });

  it('takes one round of the quick sizes, unless it is told otherwise', () => {
    expect(readOptions(['--quick', '--no-python', '--no-platform'])).toMatchObject({ rounds: 1, python: false, platform: false });
    expect(readOptions(['--quick', '--rounds', '2']).rounds).toBe(2);
  });

  it.each([
    ['--rounds', '0'],
    ['--rounds', 'x'],
    ['--round', '3'],
  ])('refuses %s %s', (...args) => {
    expect(() => readOptions(args)).toThrow(TypeError);
  });
});
