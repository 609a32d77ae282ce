import type { GateEvidence, GateOutcome, Verdict } from '@kiln/contracts';
import { interval, pValue, percent, points } from '../terminal/numbers.js';
import { safeText } from '../terminal/safe-text.js';
import type { Style } from '../terminal/style.js';

/** A gate outcome in capitals and, on a terminal, in its colour. */
export function shownOutcome(outcome: GateOutcome, style: Style): string {
  const text = style.bold(outcome.toUpperCase());
  if (outcome === 'kept' || outcome === 'promoted') return style.good(text);
  return outcome === 'regression' || outcome === 'demoted' ? style.bad(text) : style.doubtful(text);
}

/** A verdict with every number that it was decided from. */
export function verdictLines(verdict: Verdict, style: Style): string[] {
  const { evidence, error_bounds: bounds } = verdict;
  const lines = [`${shownOutcome(verdict.outcome, style)} by ${verdict.policy_version}: ${safeText(verdict.reason)}`];
  if (evidence !== null) lines.push(...evidenceLines(evidence));
  if (bounds !== null) {
    const { actual, worst, best } = bounds;
    const readings = `worst case ${worst.outcome}, best case ${best.outcome}`;
    lines.push(
      bounds.agree
        ? `errors could not change it (${readings})`
        : `errors could change it (as measured ${actual.outcome}, ${readings}), so it is inconclusive`,
    );
  }
  return lines;
}

function evidenceLines(evidence: GateEvidence): string[] {
  const side = (rate: number, lower: number, upper: number): string => `${percent(rate)} ${interval({ lower, upper })}`;
  const required = (value: number | null, shown: (value: number) => string): string =>
    value === null ? 'not required' : `required ${shown(value)}`;
  return [
    `${evidence.paired_examples} pairs (at least ${evidence.minimum_paired_examples} needed): ` +
      `${evidence.improved} improved, ${evidence.regressed} regressed, ${evidence.tied} tied; ` +
      `sign test p = ${pValue(evidence.exact_sign_test_p_value)} (alpha ${evidence.exact_sign_test_alpha})`,
    `candidate ${side(evidence.candidate_accuracy, evidence.candidate_accuracy_lower_bound, evidence.candidate_accuracy_upper_bound)}, ` +
      `baseline ${side(evidence.baseline_accuracy, evidence.baseline_accuracy_lower_bound, evidence.baseline_accuracy_upper_bound)}, ` +
      `floor ${percent(evidence.minimum_accuracy)}`,
    `recovery at least ${evidence.observed_relative_recovery_lower_bound.toFixed(2)} of the baseline (${required(evidence.required_relative_recovery, String)}), ` +
      `gain at least ${points(evidence.observed_absolute_gain_lower_bound)} points (${required(evidence.required_absolute_gain, points)})`,
  ];
}
