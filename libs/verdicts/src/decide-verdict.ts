import {
  type ErrorBounds,
  type GateOutcome,
  type GateRequest,
  type GateRequestOf,
  type PairedCounts,
  type PairedReading,
  type PolicyVersion,
  type Verdict,
} from '@kiln/contracts';
import { inputDigest, roundEvidence } from '@kiln/provenance';
import { type CandidateResult } from './candidate-accumulator.js';
import { type JobTotals } from './job-completeness.js';
import { type BoundedVerdict, errorBoundsV1 } from './policies/error-bounds-v1.js';
import { hillclimbReadings, hillclimbV1 } from './policies/hillclimb/hillclimb-v1.js';
import { type PairVotes } from './policies/objective-gates/judged-pairs.js';
import { objectiveGatesV1, objectiveReadings } from './policies/objective-gates/objective-gates-v1.js';
import { objectiveReading } from './policies/objective-gates/objective-reading.js';
import { objectiveThresholds } from './policies/objective-gates/thresholds.js';
import { type GateInput } from './policies/paired-wilson/gate-input.js';
import { pairedWilsonV1 } from './policies/paired-wilson/paired-wilson-v1.js';
import { type VerdictSubject } from './policies/verdict-subject.js';

/** What is decided, about what; the candidate's numbers come with {@link CandidateResult}. */
export interface VerdictRequest extends VerdictSubject {
  readonly requirements: GateRequest;
  /** How much of the whole job ran. */
  readonly job: JobTotals;
  /** Decided pairs of this candidate by category. */
  readonly votes: ReadonlyMap<string, PairVotes>;
}

/**
 * The verdict on a candidate: the policy that was asked for, under `error_bounds_v1`. `evidence.outcome` is the policy's
 * own, and `outcome` the one that stands. Carries every number it was computed from, fractions rounded to 12 digits
 * (ruling 23): `canonicalJson` of equal inputs is the same bytes.
 *
 * @param request.baseline, request.candidate null when there is no such run; the verdict is then `error`.
 * @param result accumulated for the same policy.
 */
export function decideVerdict(request: VerdictRequest, result: CandidateResult): Verdict {
  const { requirements } = request;
  switch (requirements.policy) {
    case 'paired_wilson_v1':
      return roundEvidence<Verdict>({
        policy_version: requirements.policy,
        ...frame(request, result),
        ...pairedWilson(request, requirements, result),
      });
    case 'objective_gates_v1':
      return roundEvidence<Verdict>({
        policy_version: requirements.policy,
        ...frame(request, result),
        ...objectiveGates(request, requirements, result),
      });
    case 'hillclimb_v1':
      return roundEvidence<Verdict>({ policy_version: requirements.policy, ...frame(request, result), ...hillclimb(request, result) });
  }
}

/** What every verdict says. The digest covers all that any policy reads: what is null was not read. */
function frame(request: VerdictRequest, { paired, objective, hillclimb: hill, errors }: CandidateResult) {
  const { comparison, facts, worst, best, rows_digest: rows } = paired;
  const { votes, ...subject } = request;
  return {
    baseline_run_index: comparison.baseline.run_index,
    candidate_run_index: comparison.candidate.run_index,
    input_digest: inputDigest({
      ...subject,
      votes: [...votes].toSorted(([a], [b]) => (a < b ? -1 : 1)),
      facts,
      counts: comparison.pairs,
      worst,
      best,
      rows,
      errors,
      objective,
      hillclimb: hill,
      layer: 'error_bounds_v1',
    }),
  };
}

function pairedWilson(request: VerdictRequest, requirements: GateRequestOf<'paired_wilson_v1'>, { paired, errors }: CandidateResult) {
  const { facts, worst, best, comparison } = paired;
  const input: GateInput = { ...request, requirements, facts, counts: comparison.pairs };
  const decision = pairedWilsonV1(input);
  const evaluate = (counts: PairedCounts): PairedReading => ({ outcome: pairedWilsonV1({ ...input, counts }).outcome, counts });
  return underBounds(decision, decision.outcome, () => errorBoundsV1(evaluate, { actual: comparison.pairs, worst, best }, errors));
}

function objectiveGates(request: VerdictRequest, requirements: GateRequestOf<'objective_gates_v1'>, { objective }: CandidateResult) {
  const input = { ...request, requirements, totals: accumulated(objective, requirements.policy) };
  const decision = objectiveGatesV1(input);
  const { baseline, candidate } = input.totals;
  const errors = {
    baseline: { samples: baseline.error_samples, examples: baseline.error_examples },
    candidate: { samples: candidate.error_samples, examples: candidate.error_examples },
  };
  // Completeness is the whole job's: errors of its other candidates count too.
  return underBounds(decision, decision.evidence?.decision, () =>
    errorBoundsV1(
      (numbers) => objectiveReading(numbers, objectiveThresholds(requirements)).reading,
      objectiveReadings(input),
      errors,
      request.job.error_samples,
    ),
  );
}

function hillclimb(request: VerdictRequest, { hillclimb: totals }: CandidateResult) {
  const input = { ...request, totals: accumulated(totals, 'hillclimb_v1') };
  const decision = hillclimbV1(input);
  const { baseline, candidate, errors } = input.totals;
  return underBounds(decision, decision.evidence?.decision, () =>
    errorBoundsV1((reading) => reading, hillclimbReadings(input), errors, baseline.errors + candidate.errors),
  );
}

/**
 * A decision as the errors leave it: blocked unless all readings agree. Evidence that was refused has no readings.
 *
 * @param word the policy's own word for what it decided.
 */
function underBounds<Evidence, Reading>(
  { outcome, reason, evidence }: { readonly outcome: GateOutcome; readonly reason: string; readonly evidence: Evidence | null },
  word: string | undefined,
  ask: () => BoundedVerdict<Reading>,
): { outcome: GateOutcome; reason: string; evidence: Evidence | null; error_bounds: ErrorBounds<Reading> | null } {
  if (evidence === null) return { outcome, reason, evidence, error_bounds: null };
  const { outcome: standing, bounds } = ask();
  return {
    outcome: standing,
    reason: reasonUnderBounds(reason, bounds, standing === outcome ? null : (word ?? outcome)),
    evidence,
    error_bounds: bounds,
  };
}

/** @param blocked what the policy decided, when the errors block it; else null. */
function reasonUnderBounds(
  reason: string,
  { agree, errors_that_could_change_it: count }: ErrorBounds<unknown>,
  blocked: string | null,
): string {
  if (agree) return reason;
  const errors = `${count} ${count === 1 ? 'error' : 'errors'} could change this`;
  const stop = reason.endsWith('.') ? '.' : '';
  if (blocked !== null) return `${errors}; as measured it is ${blocked}${stop}`;
  return `${reason}${stop === '' ? '; ' : ' '}${errors}${stop}`;
}

function accumulated<T>(totals: T | null, policy: PolicyVersion): T {
  if (totals === null) throw new RangeError(`${policy} decides from what a CandidateAccumulator for it has added up`);
  return totals;
}
