import { type Metrics } from '@kiln/contracts';
import { type FinishedComparison, type FinishingRun } from '@kiln/database';

/** What a job came to, in the form in which it is stored. */
export interface ComputedResults {
  readonly runs: readonly { readonly run: FinishingRun; readonly metrics: Metrics }[];
  /** One a candidate; the baseline is the first run. */
  readonly comparisons: readonly FinishedComparison[];
}
