import { type ErrorBounds, type GateOutcome, type PairedCounts } from '@kiln/contracts';

export interface BoundedVerdict {
  readonly outcome: GateOutcome;
  readonly bounds: ErrorBounds;
}

/**
 * `error_bounds_v1`, the layer above every policy (ruling 18): infrastructure errors may make a verdict inconclusive, they
 * may never decide one. The policy is asked three times: as measured, with every error at the candidate's worst, and at
 * its best. Unless all three outcomes are equal the verdict is `inconclusive`.
 *
 * It can only block: a pass stands only if the policy itself gave it, and `error` (the evidence was refused) stays.
 * A `regression` or `demoted` that hangs on errors becomes `inconclusive` too: it was decided by infrastructure, and
 * `inconclusive` promotes nothing either.
 */
export function errorBoundsV1(
  evaluate: (counts: PairedCounts) => GateOutcome,
  readings: { readonly actual: PairedCounts; readonly worst: PairedCounts; readonly best: PairedCounts },
): BoundedVerdict {
  const [actual, worst, best] = [readings.actual, readings.worst, readings.best].map((counts) => ({
    outcome: evaluate(counts),
    counts,
  })) as [ErrorBounds['actual'], ErrorBounds['worst'], ErrorBounds['best']];
  const agree = worst.outcome === actual.outcome && best.outcome === actual.outcome;
  return {
    outcome: agree || actual.outcome === 'error' ? actual.outcome : 'inconclusive',
    bounds: { policy_version: 'error_bounds_v1', actual, worst, best, agree },
  };
}
