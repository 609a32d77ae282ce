import { type GateOutcome } from '@kiln/contracts';

const SEVERITY: Record<GateOutcome, number> = {
  error: 6,
  demoted: 5,
  regression: 5,
  inconclusive: 4,
  promoted: 3,
  kept: 2,
};

/** What an outcome of a later version counts as: worse than anything known, so that it cannot be overlooked. */
const UNKNOWN_SEVERITY = 7;

/** How bad an outcome is, from 2 (`kept`) to 7 (not an outcome that this version knows). Source: contracts §1.6. */
export function gateSeverity(outcome: string): number {
  return Object.hasOwn(SEVERITY, outcome) ? SEVERITY[outcome as GateOutcome] : UNKNOWN_SEVERITY;
}

/**
 * The outcome that stands for several gates of one job: the most severe; the earlier one wins a tie.
 *
 * @returns `null` for no outcomes.
 * @example mostSevere(['kept', 'regression', 'demoted']) // 'regression'
 */
export function mostSevere<Outcome extends string>(outcomes: Iterable<Outcome>): Outcome | null {
  let incumbent: Outcome | null = null;
  for (const outcome of outcomes) {
    if (incumbent === null || gateSeverity(outcome) > gateSeverity(incumbent)) incumbent = outcome;
  }
  return incumbent;
}
