import { type ErrorBounds, type HillclimbReading, type ReducedOutcome } from '@kiln/contracts';
import { type SignFlipResult } from '@kiln/statistics';
import { type ComparedExample } from '../../compared-example.js';
import { type SignFlipInput } from '../../comparison/sign-flip-input.js';
import { type Readings } from '../error-bounds-v1.js';
import { type RunUsage, RunUsageTally } from './run-usage-tally.js';
import { type GradedReps } from './split-tally.js';
import { type SplitComparisons, SplitTallies } from './split-tallies.js';

/** Everything that `hillclimb_v1` needs of the rows of a comparison. */
export interface HillclimbTotals {
  readonly readings: Readings<SplitComparisons>;
  readonly baseline: RunUsage;
  readonly candidate: RunUsage;
  /** Errors of paired examples; each moves a pass rate. */
  readonly errors: ErrorBounds<HillclimbReading>['errors'];
}

/** Adds up a comparison for `hillclimb_v1`. Memory: the examples that moved. */
export class HillclimbAccumulator {
  readonly #actual = new SplitTallies();
  readonly #worst = new SplitTallies();
  readonly #best = new SplitTallies();
  readonly #baseline = new RunUsageTally();
  readonly #candidate = new RunUsageTally();
  readonly #errors = { baseline: { samples: 0, examples: 0 }, candidate: { samples: 0, examples: 0 } };

  add(example: ComparedExample): void {
    const { split, baseline, candidate } = example;
    this.#baseline.add(example, baseline !== null, example.baseline_samples);
    this.#candidate.add(example, candidate !== null, example.candidate_samples);
    if (baseline === null || candidate === null) return;
    const [before, after] = [baseline.actual, candidate.actual];
    if (before.kind === 'skipped' || after.kind === 'skipped') return;
    this.#actual.add(split, graded(before), graded(after));
    this.#worst.add(split, withErrors(before, 'passed'), withErrors(after, 'failed'));
    this.#best.add(split, withErrors(before, 'failed'), withErrors(after, 'passed'));
    noteErrors(this.#errors.baseline, before);
    noteErrors(this.#errors.candidate, after);
  }

  /** Three as measured; where there are errors, three at worst and three at best. */
  get signFlipInputs(): SignFlipInput[] {
    const readings = this.#hasErrors ? [this.#actual, this.#worst, this.#best] : [this.#actual];
    return readings.flatMap((reading) => reading.signFlipInputs);
  }

  /**
   * Can be called once.
   *
   * @param tests of {@link signFlipInputs}; computed here when absent.
   */
  finish(tests: readonly (SignFlipResult | null)[] = []): HillclimbTotals {
    const actual = this.#actual.finish(tests.slice(0, 3));
    const bounds = this.#hasErrors
      ? { worst: this.#worst.finish(tests.slice(3, 6)), best: this.#best.finish(tests.slice(6, 9)) }
      : { worst: actual, best: actual };
    return {
      readings: { actual, ...bounds },
      baseline: this.#baseline.finish(),
      candidate: this.#candidate.finish(),
      errors: this.#errors,
    };
  }

  get #hasErrors(): boolean {
    return this.#errors.baseline.samples + this.#errors.candidate.samples > 0;
  }
}

/** Errors and skips leave the denominator. */
function graded({ num_pass, num_fail, num_invalid }: ReducedOutcome): GradedReps {
  return { passes: num_pass, graded: num_pass + num_fail + num_invalid };
}

function withErrors(outcome: ReducedOutcome, as: 'passed' | 'failed'): GradedReps {
  const { passes, graded: measured } = graded(outcome);
  return { passes: passes + (as === 'passed' ? outcome.num_error : 0), graded: measured + outcome.num_error };
}

function noteErrors(errors: { samples: number; examples: number }, { num_error }: ReducedOutcome): void {
  errors.samples += num_error;
  if (num_error > 0) errors.examples++;
}
