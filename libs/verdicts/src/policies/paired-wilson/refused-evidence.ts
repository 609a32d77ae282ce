import { type GateSide } from '../gate-side.js';
import { type GateInput } from './gate-input.js';

/** An input whose evidence can be decided on: both sides are there. */
export type SoundInput = GateInput & { readonly baseline: GateSide; readonly candidate: GateSide };

/**
 * Why the evidence cannot be decided on: the first failing check, as a sentence; `null` when it is sound. The order is
 * the contract's (§1.6 A), after the checks that there is something to compare: a job that was capped, cancelled, halted
 * or failed measured a part that nobody chose, so it decides nothing (ruling 19).
 */
export function refusedEvidence(input: GateInput): string | null {
  const { baseline, candidate, facts, job_state } = input;
  if (job_state !== 'completed') return `The job is ${job_state}; only a completed job can be decided.`;
  if (baseline === null) return 'There is no baseline run.';
  if (candidate === null) return 'There is no candidate run.';
  if (baseline.suite_name !== candidate.suite_name) return 'The runs are of suites with different names.';
  if (baseline.suite_hash !== candidate.suite_hash) return 'The runs are of different versions of the suite.';
  if (baseline.effective_generation_hash !== candidate.effective_generation_hash) {
    return 'The runs used different generation settings.';
  }
  if (baseline.aggregation !== candidate.aggregation) return 'The runs were reduced by different aggregations.';
  if (facts.baseline_examples !== facts.candidate_examples) {
    return `The runs have ${facts.baseline_examples} and ${facts.candidate_examples} examples.`;
  }
  if (facts.baseline_examples === 0) return 'The runs have no examples.';
  if (!facts.all_scores_finite) return 'A score is not a finite number.';
  if (facts.duplicate_ids > 0) return `${facts.duplicate_ids} example ids come more than once.`;
  if (facts.missing_ids > 0) return `${facts.missing_ids} example ids are missing on a side.`;
  return null;
}

/** Whether {@link refusedEvidence} found nothing, for the type's sake. */
export function isSound(input: GateInput): input is SoundInput {
  return refusedEvidence(input) === null;
}
