import type { ErrorBounds, GateOutcome, PairedReading, Verdict } from '@kiln/contracts';
import { compareLines, verdictLine } from '@kiln/verdicts';
import { safeText } from '../terminal/safe-text.js';
import type { Style } from '../terminal/style.js';
import { objectiveLines } from './objective-lines.js';
import { pairedWilsonLines } from './paired-wilson-lines.js';

/** A gate outcome in capitals and, on a terminal, in its colour. */
function shownOutcome(outcome: GateOutcome, style: Style): string {
  const text = style.bold(outcome.toUpperCase());
  if (outcome === 'kept' || outcome === 'promoted') return style.good(text);
  return outcome === 'regression' || outcome === 'demoted' ? style.bad(text) : style.doubtful(text);
}

/** A verdict with every number that it was decided from: its outcome, then the policy's own word and reason, then the evidence. */
export function verdictLines(verdict: Verdict, style: Style): string[] {
  const head = `${shownOutcome(verdict.outcome, style)} by ${verdict.policy_version}`;
  const { error_bounds: bounds } = verdict;
  const lines =
    verdict.policy_version === 'paired_wilson_v1'
      ? [`${head}: ${safeText(verdict.reason)}`, ...(verdict.evidence === null ? [] : pairedWilsonLines(verdict.evidence))]
      : [head, ...[...verdictLine(verdict).split('\n'), ...ownLines(verdict)].map((line) => safeText(line))];
  return bounds === null ? lines : [...lines, boundsLine(bounds, verdict.outcome)];
}

function ownLines({ evidence }: Exclude<Verdict, { policy_version: 'paired_wilson_v1' }>): string[] {
  if (evidence === null) return [];
  return evidence.policy_version === 'hillclimb_v1' ? compareLines(evidence) : objectiveLines(evidence);
}

function boundsLine(bounds: ErrorBounds<Pick<PairedReading, 'outcome'>>, outcome: GateOutcome): string {
  const { actual, worst, best, agree, errors, errors_that_could_change_it: count } = bounds;
  const readings = `worst case ${worst.outcome}, best case ${best.outcome}`;
  if (agree) return `errors could not change it (${readings})`;
  const where = `baseline ${errors.baseline.samples}, candidate ${errors.candidate.samples}`;
  return `${count} ${count === 1 ? 'error' : 'errors'} could change it (${where}): as measured ${actual.outcome}, ${readings}, so it is ${outcome}`;
}
