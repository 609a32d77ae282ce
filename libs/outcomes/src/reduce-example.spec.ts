import { type Aggregation, type OutcomeKind } from '@kiln/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rows } from './raw-rows.fixture.js';
import { reduceExample } from './reduce-example.js';
import { type ReducibleRow } from './reducers/reduction.js';

const single: Aggregation = { kind: 'single' };
const meanOf = (k: number): Aggregation => ({ kind: 'mean_at_k', k });
const passOf = (k: number): Aggregation => ({ kind: 'pass_at_k', k });
const estimateOf = (k: number, n?: number): Aggregation => ({ kind: 'pass_at_k_estimate', k, ...(n === undefined ? {} : { n }) });
const majorityOf = (k: number): Aggregation => ({ kind: 'majority_at_k', k });
type Completion = OutcomeKind | [OutcomeKind, number];
type Case = [aggregation: Aggregation, completions: Completion[], kind: OutcomeKind, score: number, representative: number];

describe('reduceExample', () => {
  it('gives the whole reduced row', () => {
    expect(reduceExample(passOf(4), Object.freeze(rows('fail', 'invalid', 'pass', 'error')) as ReducibleRow[])).toEqual({
      example_id: 'x',
      kind: 'pass',
      score: 1,
      completion_indices: [0, 1, 2, 3],
      representative_completion_index: 2,
      num_pass: 1,
      num_fail: 1,
      num_invalid: 1,
      num_error: 1,
      num_skipped: 0,
      tags: ['t'],
      metadata: { a: 1, b: [2] },
    });
  });

  it.each<[string, ...Case]>([
    ['single keeps kind and score', single, [['fail', 0.3]], 'fail', 0.3, 0],
    ['single keeps error', single, ['error'], 'error', 0, 0],
    ['single keeps skipped', single, ['skipped'], 'skipped', 0, 0],

    ['mean of exactly 0.5 passes', meanOf(2), ['pass', 'fail'], 'pass', 0.5, 0],
    [
      'mean just below fails',
      meanOf(2),
      [
        ['fail', 0.49],
        ['fail', 0.5],
      ],
      'fail',
      0.495,
      0,
    ],
    ['mean counts every row', meanOf(4), ['pass', 'fail', 'invalid', 'error'], 'fail', 0.25, 1],
    ['mean of only invalid stays invalid', meanOf(3), ['invalid', 'invalid', 'invalid'], 'invalid', 0, 0],
    ['mean of invalid and error is invalid', meanOf(2), ['error', 'invalid'], 'invalid', 0, 0],
    ['mean of only errors is error', meanOf(2), ['error', 'error'], 'error', 0, 0],
    [
      'mean is represented by the nearest score',
      meanOf(3),
      [
        ['pass', 1],
        ['pass', 0.6],
        ['fail', 0],
      ],
      'pass',
      1.6 / 3,
      1,
    ],
    [
      'mean breaks ties, decimal ones too, by lowest index',
      meanOf(2),
      [
        ['fail', 0.1],
        ['fail', 0.3],
      ],
      'fail',
      0.2,
      0,
    ],

    ['pass@k takes the first that passes', passOf(3), ['fail', 'pass', 'pass'], 'pass', 1, 1],
    ['pass@k without a pass is represented by 0', passOf(3), ['invalid', 'fail', 'error'], 'fail', 0, 0],
    ['pass@k falls back to invalid', passOf(2), ['error', 'invalid'], 'invalid', 0, 0],
    ['pass@k falls back to error', passOf(2), ['error', 'error'], 'error', 0, 0],

    ['majority needs more than half', majorityOf(3), ['fail', 'pass', 'pass'], 'pass', 1, 1],
    ['majority without it is represented by the first that did not pass', majorityOf(3), ['pass', 'invalid', 'fail'], 'fail', 0, 1],
    ['majority counts invalid and error as no pass', majorityOf(5), ['pass', 'pass', 'invalid', 'error', 'error'], 'invalid', 0, 2],

    ['an estimate of exactly 0.5 passes', estimateOf(1, 4), ['fail', 'pass', 'pass', 'fail'], 'pass', 0.5, 1],
    [
      'an estimate below fails, represented by the first that did not pass',
      estimateOf(1, 4),
      ['pass', 'fail', 'invalid', 'error'],
      'fail',
      0.25,
      1,
    ],
    ['an estimate grows with k', estimateOf(2, 4), ['pass', 'fail', 'fail', 'fail'], 'pass', 0.5, 0],
    ['an estimate of a graded group is fail', estimateOf(1, 3), ['invalid', 'pass', 'error'], 'fail', 1 / 3, 0],
    ['an estimate without a graded completion is invalid', estimateOf(1, 3), ['error', 'invalid', 'error'], 'invalid', 0, 0],
    ['an estimate of only errors is error', estimateOf(2), ['error', 'error'], 'error', 0, 0],
    ['an estimate from k completions is pass@k', estimateOf(3), ['fail', 'fail', 'pass'], 'pass', 1, 2],
  ])('%s', (_name, ...[aggregation, completions, kind, score, representative]) => {
    const reduced = reduceExample(aggregation, rows(...completions));
    expect(reduced).toMatchObject({ kind, representative_completion_index: representative });
    expect(reduced.score).toBeCloseTo(score, 15);
  });

  it.each<[string, ...Case]>([
    ['all skipped is skipped', meanOf(3), ['skipped', 'skipped', 'skipped'], 'skipped', 0, 0],
    ['the mean is over the rest', meanOf(3), ['skipped', 'pass', 'pass'], 'pass', 1, 1],
    ['measured failures stay', passOf(3), ['skipped', 'fail', 'skipped'], 'fail', 0, 1],
    ['the majority is of the rest', majorityOf(3), ['pass', 'skipped', 'skipped'], 'pass', 1, 0],
    ['half of the rest is no majority', majorityOf(3), ['pass', 'fail', 'skipped'], 'fail', 0, 1],
    ['the rest may be only errors', passOf(2), ['skipped', 'error'], 'error', 0, 1],
    ['an estimate is from the rest', estimateOf(1, 3), ['skipped', 'pass', 'fail'], 'pass', 0.5, 1],
    ['fewer than k are left: nothing can be estimated', estimateOf(3, 4), ['pass', 'skipped', 'skipped', 'fail'], 'skipped', 0, 0],
  ])('skipped completions: %s', (_name, ...[aggregation, completions, kind, score, representative]) => {
    const skipped = completions.filter((completion) => completion === 'skipped').length;
    expect(reduceExample(aggregation, rows(...completions))).toMatchObject({
      kind,
      score,
      representative_completion_index: representative,
      num_skipped: skipped,
    });
  });

  it('does not depend on the order of the rows', () => {
    const completion = fc.tuple(
      fc.constantFrom<OutcomeKind>('pass', 'fail', 'invalid', 'error', 'skipped'),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    const aggregation = fc.constantFrom(meanOf(5), passOf(5), majorityOf(5), estimateOf(2, 5));
    fc.assert(
      fc.property(
        fc.array(completion, { minLength: 5, maxLength: 5 }),
        aggregation,
        fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
        (completions, by, order) => {
          const inOrder = rows(...completions);
          expect(
            reduceExample(
              by,
              order.map((index) => inOrder[index] as ReducibleRow),
            ),
          ).toEqual(reduceExample(by, inOrder));
        },
      ),
    );
  });

  it('all reducers agree at k = 1 on what passed', () => {
    fc.assert(
      fc.property(fc.constantFrom<OutcomeKind>('pass', 'fail', 'invalid', 'error', 'skipped'), (kind) => {
        const expected = reduceExample(single, rows(kind));
        for (const by of [meanOf(1), passOf(1), majorityOf(1), estimateOf(1)]) expect(reduceExample(by, rows(kind))).toEqual(expected);
      }),
    );
  });
});
