import { Comparison } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { compare, outcome, times } from '../verdict-inputs.fixture.js';
import { adjustedComparisons } from './adjusted-comparisons.js';

const [pass, fail, skipped] = [outcome('pass'), outcome('fail'), outcome('skipped')];

/** `improved` of twenty pairs rise, the others stay. */
const improvedBy = (improved: number): Comparison =>
  compare([...times(improved, () => [fail, pass] as const), ...times(20 - improved, () => [pass, pass] as const)]).comparison;

describe('adjustedComparisons', () => {
  it('leaves a single comparison as it is', () => {
    const comparison = improvedBy(6);
    expect(comparison.adjusted_p).toEqual({
      comparisons: 1,
      sign_test: { holm: 0.03125, benjamini_hochberg: 0.03125 },
      permutation_test: { holm: 0.03125, benjamini_hochberg: 0.03125 },
    });
    expect(adjustedComparisons([comparison])).toEqual([comparison]);
  });

  it('asks more of each the more there are, and changes nothing else', () => {
    // p = 2^(1−m): 0.03125, 0.0625, 0.25, 0.03125 by hand, each way.
    const comparisons = [6, 5, 3, 6].map(improvedBy);
    const adjusted = adjustedComparisons(comparisons);
    expect(adjusted.map(({ adjusted_p }) => adjusted_p.sign_test.holm)).toEqual([0.125, 0.125, 0.25, 0.125]);
    expect(adjusted.map(({ adjusted_p }) => adjusted_p.sign_test.benjamini_hochberg)).toEqual([0.0625, 0.0833333333333, 0.25, 0.0625]);
    for (const [index, comparison] of adjusted.entries()) {
      expect(Comparison.parse(comparison)).toEqual(comparison);
      expect(comparison.adjusted_p.permutation_test).toEqual(comparison.adjusted_p.sign_test);
      expect({ ...comparison, adjusted_p: null }).toEqual({ ...comparisons[index], adjusted_p: null });
    }
  });

  it('counts a candidate without a pair in no family of permutation tests', () => {
    const nothing = compare([[skipped, skipped]]).comparison;
    const [first, second] = adjustedComparisons([improvedBy(6), nothing]).map(({ adjusted_p }) => adjusted_p);
    expect(first).toMatchObject({ comparisons: 2, sign_test: { holm: 0.0625 }, permutation_test: { holm: 0.03125 } });
    expect(second).toMatchObject({ comparisons: 2, sign_test: { holm: 1 }, permutation_test: null });
  });

  it('has nothing to say of no comparison', () => {
    expect(adjustedComparisons([])).toEqual([]);
  });
});
