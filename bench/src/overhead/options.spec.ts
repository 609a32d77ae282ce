import { describe, expect, it } from 'vitest';
import { readOptions } from './options.js';

describe('readOptions', () => {
  it('measures what the issue asks for when nothing is said', () => {
    expect(readOptions([])).toMatchObject({
      runs: 5,
      sizes: [5_000, 50_000],
      small: 5_000,
      large: 100_000,
      redis: false,
      memory: true,
      json: false,
    });
  });

  it('reads sizes and switches', () => {
    expect(readOptions(['--sizes', '10,20', '--runs=1', '--redis', '--no-memory'])).toMatchObject({
      sizes: [10, 20],
      runs: 1,
      redis: true,
      memory: false,
    });
  });

  it.each([
    ['a number that is none', ['--runs', 'x'], /--runs: expected a whole number/],
    ['an unknown option', ['--run', '3'], /Unknown option '--run'/],
  ])('refuses %s', (_name, args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});
