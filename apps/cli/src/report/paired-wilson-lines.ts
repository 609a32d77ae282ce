import type { PairedWilsonEvidence } from '@kiln/contracts';
import { interval, pValue, percent, points } from '../terminal/numbers.js';

/** The numbers that `paired_wilson_v1` decided from. */
export function pairedWilsonLines(evidence: PairedWilsonEvidence): string[] {
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
