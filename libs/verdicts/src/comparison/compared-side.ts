import { type ComparedSide } from '@kiln/contracts';
import { type OutcomeTally, rateInterval } from '@kiln/outcomes';

/** Which run a side of a comparison is. */
export type SideIdentity = Pick<ComparedSide, 'run_index' | 'name' | 'adapter'>;

/** One side's rates over the paired examples only, so that both sides are measured on the same examples. */
export function comparedSide(identity: SideIdentity, outcomes: OutcomeTally): ComparedSide {
  const { accuracy, accuracy_confidence_interval, graded_pass_rate, mean_score, counts } = outcomes.slice();
  return {
    run_index: identity.run_index,
    name: identity.name,
    adapter: identity.adapter,
    accuracy,
    accuracy_confidence_interval,
    graded_pass_rate,
    graded_pass_rate_confidence_interval: rateInterval(outcomes.passes, outcomes.graded),
    mean_score,
    num_error: counts.error,
  };
}
