import { type GateOutcome, type PairedCounts } from '@kiln/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counts } from '../verdict-inputs.fixture.js';
import { errorBoundsV1 } from './error-bounds-v1.js';

/** Three distinct readings, and a policy that answers by reading. */
const [actual, worst, best] = [1, 2, 3].map((n) => counts({ before: n, after: n, both: n, of: n })) as [
  PairedCounts,
  PairedCounts,
  PairedCounts,
];
const errors = { baseline: { samples: 2, examples: 1 }, candidate: { samples: 1, examples: 1 } };
const ask = (answers: readonly [GateOutcome, GateOutcome, GateOutcome]) =>
  errorBoundsV1(
    (paired) => ({ outcome: answers[paired.paired_examples - 1] as GateOutcome, counts: paired }),
    { actual, worst, best },
    errors,
  );

const OUTCOMES: GateOutcome[] = ['promoted', 'kept', 'regression', 'demoted', 'inconclusive', 'error'];

describe('errorBoundsV1', () => {
  it('lets an outcome stand on which all readings agree, and shows them', () => {
    expect(ask(['kept', 'kept', 'kept'])).toEqual({
      outcome: 'kept',
      bounds: {
        policy_version: 'error_bounds_v1',
        actual: { outcome: 'kept', counts: actual },
        worst: { outcome: 'kept', counts: worst },
        best: { outcome: 'kept', counts: best },
        agree: true,
        errors,
        errors_that_could_change_it: 0,
      },
    });
  });

  it.each<[GateOutcome, GateOutcome, GateOutcome, GateOutcome]>([
    ['kept', 'inconclusive', 'kept', 'inconclusive'],
    ['kept', 'regression', 'kept', 'inconclusive'],
    ['regression', 'regression', 'inconclusive', 'inconclusive'],
    ['inconclusive', 'inconclusive', 'kept', 'inconclusive'],
    ['error', 'kept', 'kept', 'error'],
  ])('measured %s, worst %s, best %s: %s', (measured, low, high, outcome) => {
    const verdict = ask([measured, low, high]);
    expect(verdict.outcome).toBe(outcome);
    expect(verdict.bounds).toMatchObject({ agree: false, errors_that_could_change_it: 3 });
  });

  it('can only block', () => {
    const answer = fc.constantFrom(...OUTCOMES);
    fc.assert(
      fc.property(answer, answer, answer, (measured, low, high) => {
        const { outcome } = ask([measured, low, high]);
        expect([measured, 'inconclusive']).toContain(outcome);
        expect(measured !== 'error' || outcome === 'error').toBe(true);
      }),
    );
  });
});
