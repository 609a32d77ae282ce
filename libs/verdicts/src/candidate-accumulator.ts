import { type ErrorBounds, type PairedReading, type PolicyVersion } from '@kiln/contracts';
import { ClusterIndex } from '@kiln/outcomes';
import { type SignFlipResult } from '@kiln/statistics';
import { type SideIdentity } from './comparison/compared-side.js';
import { ComparisonAccumulator, type PairedResult, type SignFlipInput } from './comparison/comparison-accumulator.js';
import { type ComparedExample } from './compared-example.js';
import { HillclimbAccumulator, type HillclimbTotals } from './policies/hillclimb/hillclimb-accumulator.js';
import { ObjectiveGatesAccumulator, type ObjectiveTotals } from './policies/objective-gates/objective-gates-accumulator.js';
import { OpenErrorTally } from './policies/open-error-tally.js';

/** What a candidate's rows came to: its comparison, and what its policy needs besides. */
export interface CandidateResult {
  readonly paired: PairedResult;
  /** Errors that leave a paired example's reduced outcome open. */
  readonly errors: ErrorBounds<PairedReading>['errors'];
  /** null unless the policy is `objective_gates_v1`. */
  readonly objective: ObjectiveTotals | null;
  /** null unless the policy is `hillclimb_v1`. */
  readonly hillclimb: HillclimbTotals | null;
}

/** Adds up one candidate against the baseline, from a stream of examples in suite order, for one policy or for none. */
export class CandidateAccumulator {
  readonly #comparison: ComparisonAccumulator;
  readonly #errors = new OpenErrorTally();
  readonly #objective: ObjectiveGatesAccumulator | null;
  readonly #hillclimb: HillclimbAccumulator | null;

  /** @param clusters may be shared with the other candidates of the job. */
  constructor(
    sides: { readonly baseline: SideIdentity; readonly candidate: SideIdentity },
    policy: PolicyVersion | null,
    clusters = new ClusterIndex(),
  ) {
    this.#comparison = new ComparisonAccumulator(sides, clusters);
    this.#objective = policy === 'objective_gates_v1' ? new ObjectiveGatesAccumulator() : null;
    this.#hillclimb = policy === 'hillclimb_v1' ? new HillclimbAccumulator() : null;
  }

  /** @throws RangeError when examples go back in suite order. */
  add(example: ComparedExample): void {
    this.#comparison.add(example);
    this.#errors.add(example.baseline, example.candidate);
    this.#objective?.add(example);
    this.#hillclimb?.add(example);
  }

  /** What the comparison's sign-flip test takes, for whoever runs it elsewhere. */
  get signFlipInput(): SignFlipInput {
    return this.#comparison.signFlipInput;
  }

  /**
   * Can be called once.
   *
   * @param signFlip the test of {@link signFlipInput}; computed here when absent.
   */
  finish(signFlip?: SignFlipResult | null): CandidateResult {
    return {
      paired: this.#comparison.finish(signFlip),
      errors: this.#errors.errors,
      objective: this.#objective?.totals ?? null,
      hillclimb: this.#hillclimb?.finish() ?? null,
    };
  }
}
