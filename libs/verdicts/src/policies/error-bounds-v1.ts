import { type ErrorBounds, type GateOutcome } from '@kiln/contracts';

/** The same numbers three times: with the errors as measured, at the candidate's worst, and at its best. */
export interface Readings<Numbers> {
  readonly actual: Numbers;
  /** Errors of the candidate count against it, those of the baseline for the baseline. */
  readonly worst: Numbers;
  /** The reverse. */
  readonly best: Numbers;
}

export interface BoundedVerdict<Reading> {
  readonly outcome: GateOutcome;
  readonly bounds: ErrorBounds<Reading>;
}

/**
 * `error_bounds_v1`, the layer above every policy (ruling 18): infrastructure errors may make a verdict inconclusive, they
 * may never decide one. The policy is asked three times: as measured, with every error at the candidate's worst, and at
 * its best. Unless all three outcomes are equal the verdict is `inconclusive`.
 *
 * It can only block: a pass stands only if the policy itself gave it, and `error` (the evidence was refused) stays.
 * A `regression` or `demoted` that hangs on errors becomes `inconclusive` too: it was decided by infrastructure, and
 * `inconclusive` promotes nothing either.
 *
 * @param errors errors on each side that the readings treat differently.
 * @param count all errors that they treat differently, where there are more than those of the two sides.
 */
export function errorBoundsV1<Numbers, Reading extends { readonly outcome: GateOutcome }>(
  evaluate: (numbers: Numbers) => Reading,
  readings: Readings<Numbers>,
  errors: ErrorBounds<Reading>['errors'],
  count: number = errors.baseline.samples + errors.candidate.samples,
): BoundedVerdict<Reading> {
  const [actual, worst, best] = [evaluate(readings.actual), evaluate(readings.worst), evaluate(readings.best)];
  const agree = worst.outcome === actual.outcome && best.outcome === actual.outcome;
  return {
    outcome: agree || actual.outcome === 'error' ? actual.outcome : 'inconclusive',
    bounds: {
      policy_version: 'error_bounds_v1',
      actual,
      worst,
      best,
      agree,
      errors,
      errors_that_could_change_it: agree ? 0 : count,
    },
  };
}
