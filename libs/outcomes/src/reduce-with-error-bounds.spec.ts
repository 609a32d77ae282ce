import { type Aggregation, type OutcomeKind } from '@kiln/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rows } from './raw-rows.fixture.js';
import { reduceWithErrorBounds } from './reduce-with-error-bounds.js';

describe('reduceWithErrorBounds', () => {
  it('is one outcome three times without errors', () => {
    const { actual, worst, best } = reduceWithErrorBounds({ kind: 'mean_at_k', k: 3 }, rows('pass', 'invalid', 'skipped'));
    expect(worst).toBe(actual);
    expect(best).toBe(actual);
  });

  it('takes an error for a fail and for a pass', () => {
    const { actual, worst, best } = reduceWithErrorBounds({ kind: 'single' }, rows('error'));
    expect([actual.kind, worst.kind, best.kind]).toEqual(['error', 'fail', 'pass']);
    expect([actual.score, worst.score, best.score]).toEqual([0, 0, 1]);
  });

  it('replaces rows before reducing, so a group may absorb its errors', () => {
    const pass2 = reduceWithErrorBounds({ kind: 'pass_at_k', k: 2 }, rows('pass', 'error'));
    expect([pass2.actual.kind, pass2.worst.kind, pass2.best.kind]).toEqual(['pass', 'pass', 'pass']);
    const majority = reduceWithErrorBounds({ kind: 'majority_at_k', k: 3 }, rows('pass', 'error', 'fail'));
    expect([majority.actual.kind, majority.worst.kind, majority.best.kind]).toEqual(['fail', 'fail', 'pass']);
    const mean = reduceWithErrorBounds({ kind: 'mean_at_k', k: 4 }, rows('error', 'error', 'pass', 'fail'));
    expect([mean.actual.score, mean.worst.score, mean.best.score]).toEqual([0.25, 0.25, 0.75]);
  });

  it('brackets what was measured', () => {
    const kind = fc.constantFrom<OutcomeKind>('pass', 'fail', 'invalid', 'error', 'skipped');
    const aggregation = fc.constantFrom<Aggregation>(
      { kind: 'mean_at_k', k: 5 },
      { kind: 'pass_at_k', k: 5 },
      { kind: 'majority_at_k', k: 5 },
    );
    fc.assert(
      fc.property(fc.array(kind, { minLength: 5, maxLength: 5 }), aggregation, (kinds, by) => {
        const { actual, worst, best } = reduceWithErrorBounds(by, rows(...kinds));
        expect(worst.score).toBeLessThanOrEqual(actual.score);
        expect(best.score).toBeGreaterThanOrEqual(actual.score);
        expect(worst.kind !== 'pass' || actual.kind === 'pass').toBe(true);
        expect(actual.kind !== 'pass' || best.kind === 'pass').toBe(true);
        expect(actual.kind === 'skipped').toBe(worst.kind === 'skipped');
        expect(worst.num_error + best.num_error).toBe(0);
      }),
    );
  });
});
