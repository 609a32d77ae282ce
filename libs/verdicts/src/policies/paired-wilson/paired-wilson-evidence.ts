import { type PairedWilsonEvidence } from '@kiln/contracts';
import { CONFIDENCE_LEVEL } from '@kiln/outcomes';
import { exactSignTest, wilsonInterval } from '@kiln/statistics';
import { type SoundInput } from './refused-evidence.js';

/** Fewer pairs than this decide nothing. */
export const MINIMUM_PAIRED_EXAMPLES = 20;
/** A gate calls a change significant when p is below this, strictly. */
export const SIGN_TEST_ALPHA = 0.05;

/** The evidence before its outcome is known. */
export type UndecidedEvidence = Omit<PairedWilsonEvidence, 'outcome'>;

/**
 * Every number of a `paired_wilson_v1` decision, computed from the counts (contracts §1.6 B). Accuracies are over the
 * paired examples. Without pairs they are 0 with bounds 0..0: inside the gate that reads as "nothing shown".
 */
export function pairedWilsonEvidence(input: SoundInput): UndecidedEvidence {
  const { baseline, candidate, counts, requirements } = input;
  const before = accuracy(counts.baseline_passes, counts.paired_examples);
  const after = accuracy(counts.candidate_passes, counts.paired_examples);
  return {
    policy_version: 'paired_wilson_v1',
    suite_policy: 'single_versioned_suite',
    eval_job_id: input.eval_job_id,
    suite_name: candidate.suite_name,
    suite_hash: candidate.suite_hash,
    effective_generation_hash: candidate.effective_generation_hash,
    baseline_adapter: baseline.adapter,
    candidate_adapter: candidate.adapter,
    aggregation: candidate.aggregation,
    minimum_paired_examples: MINIMUM_PAIRED_EXAMPLES,
    paired_examples: counts.paired_examples,
    improved: counts.improved,
    regressed: counts.regressed,
    tied: counts.tied,
    exact_sign_test_p_value: exactSignTest(counts.improved, counts.regressed),
    exact_sign_test_alpha: SIGN_TEST_ALPHA,
    baseline_accuracy: before.rate,
    baseline_accuracy_lower_bound: before.lower,
    baseline_accuracy_upper_bound: before.upper,
    candidate_accuracy: after.rate,
    candidate_accuracy_lower_bound: after.lower,
    candidate_accuracy_upper_bound: after.upper,
    accuracy_confidence_level: CONFIDENCE_LEVEL,
    minimum_accuracy: requirements.min_accuracy,
    required_relative_recovery: requirements.min_relative_recovery ?? null,
    observed_relative_recovery_lower_bound: before.upper === 0 ? 1 : after.lower / before.upper,
    required_absolute_gain: requirements.min_absolute_gain ?? null,
    observed_absolute_gain_lower_bound: after.lower - before.upper,
  };
}

function accuracy(passes: number, pairs: number): { rate: number; lower: number; upper: number } {
  const interval = wilsonInterval(passes, pairs);
  return interval === null ? { rate: 0, lower: 0, upper: 0 } : { rate: passes / pairs, ...interval };
}
