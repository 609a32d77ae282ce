import { describe, expect, it } from 'vitest';
import { parseWith } from '../errors/parse-with.js';
import { Aggregation, aggregationLabel, cardinality } from './aggregation.js';

describe('Aggregation', () => {
  it.each([
    [{ kind: 'single' }, 1, 'single'],
    [{ kind: 'mean_at_k', k: 1 }, 1, 'mean@1'],
    [{ kind: 'pass_at_k', k: 128 }, 128, 'pass@128'],
    [{ kind: 'majority_at_k', k: 127 }, 127, 'majority@127'],
    [{ kind: 'pass_at_k_estimate', k: 3 }, 3, 'pass_at_k_estimate@3/3'],
    [{ kind: 'pass_at_k_estimate', k: 1, n: 128 }, 128, 'pass_at_k_estimate@1/128'],
  ])('%o needs %i completions and is labelled %s', (written, count, label) => {
    const aggregation = Aggregation.parse(written);
    expect(cardinality(aggregation)).toBe(count);
    expect(aggregationLabel(aggregation)).toBe(label);
  });

  it.each([
    [{ kind: 'majority_at_k', k: 4 }, 'k: must be odd'],
    [{ kind: 'mean_at_k', k: 0 }, 'k: must be at least 1'],
    [{ kind: 'pass_at_k', k: 129 }, 'k: must be at most 128'],
    [{ kind: 'pass_at_k', k: 1.5 }, 'k: expected a whole number'],
    [{ kind: 'pass_at_k' }, 'k: is required'],
    [{ kind: 'single', k: 1 }, 'unknown field "k"'],
    [{ kind: 'mean_at_k', k: 2, threshold: 0.5 }, 'unknown field "threshold"'],
    [{ kind: 'pass_at_k_estimate', k: 3, n: 2 }, 'n: must be at least k'],
    [{ kind: 'pass_at_k_estimate', k: 3, n: 129 }, 'n: must be at most 128'],
    [{ kind: 'pass_at_k_estimate', n: 3 }, 'k: is required'],
    [{ kind: 'pass_at_k', k: 3, n: 5 }, 'unknown field "n"'],
    [
      { kind: 'median_at_k', k: 3 },
      'kind: unknown aggregation; use one of single, mean_at_k, pass_at_k, majority_at_k, pass_at_k_estimate',
    ],
    [{}, 'kind: unknown aggregation'],
    ['single', 'expected an object, got "single"'],
  ])('refuses %o', (written, message) => {
    expect(() => parseWith(Aggregation, written, 'aggregation')).toThrow(message);
  });
});
