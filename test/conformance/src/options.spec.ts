import { describe, expect, it } from 'vitest';
import { readOptions } from './options.js';

describe('readOptions', () => {
  it('reads the folder and the data sets', () => {
    expect(readOptions(['data'])).toEqual({ folder: 'data', only: [], json: false, help: false });
    expect(readOptions(['--only', 'gsm8k', 'data', '--only', 'svamp', '--json'])).toMatchObject({
      folder: 'data',
      only: ['gsm8k', 'svamp'],
      json: true,
    });
    expect(readOptions(['--help']).help).toBe(true);
  });

  it.each([
    [[], 'expected one folder'],
    [['a', 'b'], 'expected one folder'],
    [['data', '--only', 'gsm9k'], 'no data set "gsm9k"; there are gsm8k'],
    [['data', '--fast'], '--fast'],
  ])('refuses %j', (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
