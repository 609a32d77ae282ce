import { type Verdict } from '@kiln/contracts';
import { inputDigest, roundEvidence } from '@kiln/provenance';
import { type PairedResult } from './comparison/comparison-accumulator.js';
import { errorBoundsV1 } from './policies/error-bounds-v1.js';
import { type GateInput } from './policies/gate-input.js';
import { pairedWilsonV1 } from './policies/paired-wilson-v1.js';

/** What a verdict is about; the numbers come with {@link PairedResult}. */
export type VerdictSubject = Pick<GateInput, 'eval_job_id' | 'job_state' | 'baseline' | 'candidate' | 'requirements'>;

/**
 * The verdict on a comparison: `paired_wilson_v1` under `error_bounds_v1`. `evidence.outcome` is the policy's own, and
 * `outcome` the one that stands. Carries every number it was computed from, fractions rounded to 12 digits (ruling 23):
 * `canonicalJson` of equal inputs is the same bytes.
 *
 * @param subject.baseline, subject.candidate null when there is no such run; the verdict is then `error`.
 */
export function decideVerdict(subject: VerdictSubject, result: PairedResult): Verdict {
  const { facts, worst, best, comparison } = result;
  const input: GateInput = { ...subject, facts, counts: comparison.pairs };
  const decision = pairedWilsonV1(input);
  const bounded =
    decision.evidence === null
      ? null
      : errorBoundsV1((counts) => pairedWilsonV1({ ...input, counts }).outcome, { actual: comparison.pairs, worst, best });
  const outcome = bounded?.outcome ?? decision.outcome;
  return roundEvidence<Verdict>({
    policy_version: 'paired_wilson_v1',
    baseline_run_index: comparison.baseline.run_index,
    candidate_run_index: comparison.candidate.run_index,
    outcome,
    reason: outcome === decision.outcome ? decision.reason : blockedReason(decision.outcome),
    evidence: decision.evidence,
    error_bounds: bounded?.bounds ?? null,
    input_digest: inputDigest({ ...input, worst, best, rows: result.rows_digest, layer: 'error_bounds_v1' }),
  });
}

function blockedReason(policyOutcome: string): string {
  return `As measured it is ${policyOutcome}, but the infrastructure errors could change that.`;
}
