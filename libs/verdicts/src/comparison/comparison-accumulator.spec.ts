import { Comparison, type OutcomeKind } from '@kiln/contracts';
import { signFlipPermutationTest } from '@kiln/statistics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, outcome, times } from '../verdict-inputs.fixture.js';
import { ComparisonAccumulator } from './comparison-accumulator.js';

const sides = {
  baseline: { run_index: 0, name: 'base', adapter: null },
  candidate: { run_index: 2, name: 'tuned', adapter: 'tuned' },
};
const [pass, fail, error, skipped] = (['pass', 'fail', 'error', 'skipped'] as const).map((kind) => outcome(kind)) as [
  ReturnType<typeof outcome>,
  ReturnType<typeof outcome>,
  ReturnType<typeof outcome>,
  ReturnType<typeof outcome>,
];

describe('ComparisonAccumulator', () => {
  it('compares pairs and says everything of both sides', () => {
    const { comparison } = compare([
      ...times(6, () => [fail, pass] as const),
      [pass, fail],
      [pass, pass],
      [fail, outcome('invalid')],
      [error, pass],
    ]);
    expect(Comparison.parse(comparison)).toEqual(comparison);
    expect(comparison).toMatchObject({
      baseline: { run_index: 0, name: 'base', adapter: null, accuracy: 0.2, num_error: 1 },
      candidate: { run_index: 1, name: 'tuned', adapter: 'tuned', accuracy: 0.8, num_error: 0 },
      pairs: { paired_examples: 10, improved: 7, regressed: 1, tied: 2, baseline_passes: 2, candidate_passes: 8 },
      unpaired_examples: 0,
      both_pass: 1,
      both_fail: 1,
      num_improved: 7,
      num_regressed: 1,
      improved: ['e0', 'e1', 'e2', 'e3', 'e4', 'e5', 'e9'],
      regressed: ['e6'],
      mean_score_delta: 0.6,
      sign_test: { improved: 7, regressed: 1, p_value: 0.0703125, alpha: 0.05, significant: false },
      permutation_test: { p_value: 0.0703125, method: 'exact', moved: 8, mean_delta: 0.6, verdict: 'within-noise' },
    });
    expect(comparison.baseline.graded_pass_rate).toBeCloseTo(2 / 9, 11);
    expect(comparison.mean_score_delta_confidence_interval?.lower).toBeLessThan(0.6);
  });

  it('says how far the sides agree, for two judges of the same traces', () => {
    // The table of Cohen’s κ = 0.4 in the vectors: 20 both, 15 neither, 5 and 10 one only.
    const { comparison } = compare([
      ...times(20, () => [pass, pass] as const),
      ...times(5, () => [pass, fail] as const),
      ...times(10, () => [fail, pass] as const),
      ...times(15, () => [fail, fail] as const),
    ]);
    expect(comparison).toMatchObject({ both_pass: 20, both_fail: 15, agreement: { rate: 0.7, cohen_kappa: 0.4 } });
    expect(compare([[pass, pass]]).comparison.agreement).toEqual({ rate: 1, cohen_kappa: null });
    expect(compare([[skipped, pass]]).comparison.agreement).toBeNull();
  });

  it('says what it could have seen, from the spread of the pairs', () => {
    // The pairs of the vector "tiny": 3 of 10 rise, standard error 0.152752523165.
    const { comparison } = compare([...times(3, () => [fail, pass] as const), ...times(7, () => [pass, pass] as const)]);
    expect(comparison.mean_score_delta_standard_error).toBe(0.152752523165);
    expect(comparison.minimum_detectable_effect).toBeCloseTo(2.8015852181129697 * 0.15275252316519466, 11);
    expect(comparison.mean_score_delta_clustered).toBeNull();
    expect(compare([[pass, pass]]).comparison.minimum_detectable_effect).toBeNull();
    expect(compare(times(5, () => [pass, pass] as const)).comparison.minimum_detectable_effect).toBeNull();
  });

  it('does not take the examples of a cluster for independent', () => {
    const accumulator = new ComparisonAccumulator(sides);
    for (let ordinal = 0; ordinal < 20; ordinal++) {
      const improves = ordinal < 10;
      accumulator.add({
        ordinal,
        example_id: `e${ordinal}`,
        cluster: `passage ${Math.floor(ordinal / 5)}`,
        baseline: fail,
        candidate: improves ? pass : fail,
      });
    }
    const { comparison } = accumulator.finish();
    expect(Comparison.parse(comparison)).toEqual(comparison);
    // The hand-checked four clusters of five: 0.25, with the correction 0.2887; t with 3 degrees is 3.182.
    expect(comparison.mean_score_delta_clustered).toEqual({
      clusters: 4,
      standard_error_cr0: 0.25,
      standard_error_cr1: 0.288675134595,
      confidence_interval: {
        lower: expect.closeTo(0.5 - 3.18245 * 0.288675, 5),
        upper: expect.closeTo(0.5 + 3.18245 * 0.288675, 5),
        confidence_level: 0.95,
      },
    });
    expect(comparison.mean_score_delta_standard_error).toBeCloseTo(0.1147, 4);
    expect(comparison.minimum_detectable_effect).toBeCloseTo(2.80158521811 * 0.288675134595, 10);
  });

  it('takes a sign-flip test that was made elsewhere', () => {
    const make = (): ComparisonAccumulator => {
      const accumulator = new ComparisonAccumulator(sides);
      times(40, () => [fail, pass] as const).forEach(([baseline, candidate], ordinal) =>
        accumulator.add({ ordinal, example_id: `e${ordinal}`, baseline, candidate: ordinal % 3 === 0 ? baseline : candidate }),
      );
      return accumulator;
    };
    const { deltas, unmoved } = make().signFlipInput;
    expect([deltas.length, unmoved]).toEqual([26, 14]);
    expect(make().finish(signFlipPermutationTest(deltas, { unmoved }))).toEqual(make().finish());
    expect(make().finish({ p: 0.5, method: 'sampled', moved: 26, mean: 0.65 }).comparison.permutation_test?.p_value).toBe(0.5);
  });

  it('tells flips of kind from changes of score', () => {
    const better = [outcome(['fail', 0.1], ['fail', 0.1]), outcome(['fail', 0.3], ['fail', 0.3])] as const;
    const { comparison } = compare([better]);
    expect(comparison).toMatchObject({ both_fail: 1, num_improved: 0, pairs: { improved: 1, tied: 0 } });
  });

  it('does not see a change in scores that are only added in another order', () => {
    const scores = [0.1, 0.2, 0.3] as const;
    const before = outcome(...scores.map((score) => ['fail', score] as const));
    const after = outcome(...scores.toReversed().map((score) => ['fail', score] as const));
    expect(compare([[before, after]]).comparison.pairs.tied).toBe(1);
  });

  it('uses the reduced row, not completion 0', () => {
    const pairs = times(20, () => [outcome('pass', 'fail', 'fail'), outcome('fail', 'pass', 'pass')] as const);
    expect(compare(pairs).comparison).toMatchObject({ num_improved: 20, num_regressed: 0, permutation_test: { verdict: 'improved' } });
  });

  it('leaves skipped and incomplete examples out of every number', () => {
    const { comparison, facts } = compare([
      [pass, pass],
      [skipped, pass],
      [pass, skipped],
      [null, null],
      [fail, null],
    ]);
    expect(comparison).toMatchObject({ unpaired_examples: 4, pairs: { paired_examples: 1 }, baseline: { accuracy: 1 } });
    expect(facts).toEqual({ baseline_examples: 4, candidate_examples: 3, all_scores_finite: true, duplicate_ids: 0, missing_ids: 1 });
  });

  it('has no rates and no permutation test without a pair', () => {
    const { comparison } = compare([[skipped, skipped]]);
    expect(Comparison.parse(comparison)).toMatchObject({
      baseline: { accuracy: null },
      mean_score_delta: null,
      mean_score_delta_standard_error: null,
      permutation_test: null,
      sign_test: { p_value: 1, significant: false },
    });
  });

  it('turns errors against the candidate, then for it', () => {
    const { comparison, worst, best } = compare([
      [pass, error],
      [error, pass],
      [error, error],
    ]);
    expect(comparison.pairs).toMatchObject({ improved: 1, regressed: 1, baseline_passes: 1, candidate_passes: 1 });
    expect(worst).toMatchObject({ improved: 0, regressed: 2, tied: 1, baseline_passes: 3, candidate_passes: 1 });
    expect(best).toMatchObject({ improved: 2, regressed: 0, tied: 1, baseline_passes: 1, candidate_passes: 3 });
  });

  it('names a hundred flips each way and counts all', () => {
    const { comparison } = compare([...times(150, () => [fail, pass] as const), ...times(101, () => [pass, fail] as const)]);
    expect(comparison).toMatchObject({ num_improved: 150, num_regressed: 101 });
    expect(comparison.improved).toHaveLength(100);
    expect(comparison.regressed.at(-1)).toBe('e249');
  });

  it('counts what spoils the evidence', () => {
    const accumulator = new ComparisonAccumulator(sides);
    accumulator.add({ ordinal: 3, example_id: 'a', baseline: pass, candidate: pass });
    accumulator.add({ ordinal: 3, example_id: 'a', baseline: pass, candidate: pass });
    accumulator.add({ ordinal: 4, example_id: 'a', baseline: pass, candidate: pass });
    const broken = { ...pass.actual, score: Number.NaN };
    accumulator.add({ ordinal: 5, example_id: 'b', baseline: pass, candidate: { actual: broken, worst: broken, best: broken } });
    accumulator.add({ ordinal: 6, example_id: '', baseline: pass, candidate: pass });
    expect(() => accumulator.add({ ordinal: 5, example_id: 'c', baseline: pass, candidate: pass })).toThrow(RangeError);
    expect(accumulator.finish().facts).toMatchObject({ duplicate_ids: 2, all_scores_finite: false, missing_ids: 1 });
  });

  it('digests every reading of every pair', () => {
    const digest = (...pairs: Parameters<typeof compare>[0]) => compare(pairs).rows_digest;
    const digests = [
      digest([pass, pass]),
      digest([pass, fail]),
      digest([fail, pass]),
      digest([pass, error]),
      digest([pass, null]),
      digest([pass, pass], [pass, pass]),
    ];
    expect(new Set(digests).size).toBe(digests.length);
    expect(digest([pass, pass])).toBe(digests[0]);
  });

  it('agrees in both tests where every move is all or nothing', () => {
    const kind = fc.constantFrom<OutcomeKind>('pass', 'fail', 'invalid', 'error');
    fc.assert(
      fc.property(fc.array(fc.tuple(kind, kind), { minLength: 1, maxLength: 20 }), (kinds) => {
        const { comparison, worst, best } = compare(kinds.map(([before, after]) => [outcome(before), outcome(after)] as const));
        expect(comparison.permutation_test?.p_value).toBe(comparison.sign_test.p_value);
        expect(comparison.pairs.improved).toBe(comparison.num_improved);
        expect(worst.candidate_passes).toBeLessThanOrEqual(comparison.pairs.candidate_passes);
        expect(best.candidate_passes).toBeGreaterThanOrEqual(comparison.pairs.candidate_passes);
      }),
    );
  });
});
