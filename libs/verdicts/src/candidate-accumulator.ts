import { type ErrorBounds, type PairedReading, type PolicyVersion } from '@kiln/contracts';
import { ClusterIndex } from '@kiln/outcomes';
import { type SignFlipResult } from '@kiln/statistics';
import { type SideIdentity } from './comparison/compared-side.js';
import { ComparisonAccumulator, type PairedResult } from './comparison/comparison-accumulator.js';
import { type SignFlipInput } from './comparison/sign-flip-input.js';
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

  /** What the sign-flip tests take, the comparison's first, for whoever runs them elsewhere. */
  get signFlipInputs(): SignFlipInput[] {
    return [this.#comparison.signFlipInput, ...(this.#hillclimb?.signFlipInputs ?? [])];
  }

  /**
   * Can be called once.
   *
   * @param tests of {@link signFlipInputs}; computed here when absent.
   */
  finish([comparison, ...hillclimb]: readonly (SignFlipResult | null)[] = []): CandidateResult {
    return {
      paired: this.#comparison.finish(comparison),
      errors: this.#errors.errors,
      objective: this.#objective?.totals ?? null,
      hillclimb: this.#hillclimb?.finish(hillclimb) ?? null,
    };
  }
}
