import { type GateOutcome, type PairedWilsonEvidence } from '@kiln/contracts';
import { type GateInput } from './gate-input.js';
import { pairedWilsonEvidence, type UndecidedEvidence } from './paired-wilson-evidence.js';
import { isSound, refusedEvidence } from './refused-evidence.js';

export interface GateDecision {
  readonly outcome: GateOutcome;
  /** One sentence: the rule that decided. */
  readonly reason: string;
  /** null when the evidence was refused (outcome `error`). */
  readonly evidence: PairedWilsonEvidence | null;
}

type Ruling = Pick<GateDecision, 'outcome' | 'reason'>;

/**
 * The promotion gate `paired_wilson_v1`: is the candidate good enough, and better than the baseline or at least shown to
 * hold its level? First refuses unsound evidence (`error`), then the first matching rule decides. A pass is `kept`:
 * there is no deployment here that could be promoted.
 *
 * Pure: equal input gives equal bytes, after rounding (`roundEvidence`).
 * Source: contracts §1.6.
 */
export function pairedWilsonV1(input: GateInput): GateDecision {
  if (!isSound(input)) return { outcome: 'error', reason: refusedEvidence(input) as string, evidence: null };
  const evidence = pairedWilsonEvidence(input);
  const ruling = decide(evidence);
  return { ...ruling, evidence: { ...evidence, outcome: ruling.outcome } };
}

/** Rules 1 to 7 of contracts §1.6 C, first match wins. */
function decide(evidence: UndecidedEvidence): Ruling {
  const { paired_examples: pairs, minimum_paired_examples: needed, minimum_accuracy: floor } = evidence;
  const { improved, regressed, exact_sign_test_p_value: p, exact_sign_test_alpha: alpha } = evidence;
  const significant = p < alpha;
  if (pairs < needed) return inconclusive(`Only ${pairs} paired examples; at least ${needed} are needed.`);
  if (regressed > improved && significant) {
    return { outcome: 'regression', reason: `Significantly worse than the baseline: ${regressed} regressed, ${improved} improved.` };
  }
  if (evidence.candidate_accuracy_upper_bound < floor) {
    return { outcome: 'demoted', reason: 'Even the upper bound of the candidate’s accuracy is below the minimum accuracy.' };
  }
  if (evidence.candidate_accuracy_lower_bound < floor) {
    return inconclusive('The lower bound of the candidate’s accuracy does not reach the minimum accuracy.');
  }
  const requirement = decideRequirements(evidence);
  if (requirement) return requirement;
  if (improved > regressed && significant) {
    return { outcome: 'kept', reason: `Significantly better than the baseline: ${improved} improved, ${regressed} regressed.` };
  }
  return inconclusive('Neither better nor worse than the baseline by a significant number of examples.');
}

/** Rules 5a to 5c: requirements that replace the sign test where they are set; null when none is. */
function decideRequirements(evidence: UndecidedEvidence): Ruling | null {
  const { required_relative_recovery: recovery, required_absolute_gain: gain } = evidence;
  if (recovery === null && gain === null) return null;
  if (recovery !== null && evidence.observed_relative_recovery_lower_bound < recovery) {
    return inconclusive('The relative recovery is not shown to reach what is required.');
  }
  if (gain !== null && evidence.observed_absolute_gain_lower_bound < gain) {
    return inconclusive('The absolute gain is not shown to reach what is required.');
  }
  return { outcome: 'kept', reason: 'The minimum accuracy and every requirement that was set are met.' };
}

function inconclusive(reason: string): Ruling {
  return { outcome: 'inconclusive', reason };
}
