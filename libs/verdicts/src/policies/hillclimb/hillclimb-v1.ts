import { type GateOutcome, type HillclimbEvidence, type HillclimbReading, type HillclimbSide } from '@kiln/contracts';
import { type Readings } from '../error-bounds-v1.js';
import { type GateSide } from '../gate-side.js';
import { type VerdictSubject } from '../verdict-subject.js';
import { notComparable } from './comparability.js';
import { type HillclimbTotals } from './hillclimb-accumulator.js';
import { type HillclimbConditions, hillclimbReading } from './hillclimb-reading.js';
import { hillclimbWarnings } from './hillclimb-warnings.js';
import { type RunUsage } from './run-usage-tally.js';
import { HILLCLIMB_ALPHA } from './split-tally.js';

/** Everything that `hillclimb_v1` decides from. */
export interface HillclimbInput extends VerdictSubject {
  readonly totals: HillclimbTotals;
}

export interface HillclimbVerdictDraft {
  readonly outcome: GateOutcome;
  readonly reason: string;
  /** null when a run is missing (outcome `error`). */
  readonly evidence: HillclimbEvidence | null;
}

/**
 * `hillclimb_v1`: keep a change only when the pooled result improved and train and held-out examples each moved up; revert
 * whatever else, overfitting by name. Cost, duration and tokens are shown and decide nothing.
 *
 * Source: contracts §5.3 to §5.5.
 */
export function hillclimbV1(input: HillclimbInput): HillclimbVerdictDraft {
  const { baseline, candidate, totals } = input;
  if (baseline === null || candidate === null) {
    return { outcome: 'error', reason: `there is no ${baseline === null ? 'baseline' : 'candidate'} run`, evidence: null };
  }
  const [before, after] = [hillclimbSide(baseline, totals.baseline), hillclimbSide(candidate, totals.candidate)];
  const { actual } = totals.readings;
  const { reading, reason } = hillclimbReading(actual, conditions(input, [before, after]));
  const evidence: HillclimbEvidence = {
    policy_version: 'hillclimb_v1',
    eval_job_id: input.eval_job_id,
    ...reading,
    alpha: HILLCLIMB_ALPHA,
    baseline: before,
    candidate: after,
    warnings: hillclimbWarnings(actual, before, after),
  };
  return { outcome: reading.outcome, reason, evidence };
}

/** The decision as measured, and with every error filled: then no error is left to revert for. Both runs must be there. */
export function hillclimbReadings(input: HillclimbInput): Readings<HillclimbReading> {
  const { baseline, candidate, totals } = input;
  if (baseline === null || candidate === null) throw new RangeError('readings need both runs');
  const measured = conditions(input, [hillclimbSide(baseline, totals.baseline), hillclimbSide(candidate, totals.candidate)]);
  const filled = { ...measured, errors: { baseline: 0, candidate: 0 } };
  const { actual, worst, best } = totals.readings;
  return {
    actual: hillclimbReading(actual, measured).reading,
    worst: hillclimbReading(worst, filled).reading,
    best: hillclimbReading(best, filled).reading,
  };
}

/** A stopped job measured a part that nobody chose, so its sides are not comparable. */
function conditions({ job_state }: HillclimbInput, [before, after]: readonly [HillclimbSide, HillclimbSide]): HillclimbConditions {
  return {
    refusal: job_state === 'completed' ? notComparable(before, after) : `the job is ${job_state}; only a completed one can be compared`,
    errors: { baseline: before.errors, candidate: after.errors },
  };
}

function hillclimbSide(side: GateSide, usage: RunUsage): HillclimbSide {
  return {
    run_index: side.run_index,
    adapter: side.adapter,
    provider: side.provider,
    project: side.project,
    workflow: side.suite_name,
    suite_hash: side.suite_hash,
    case_set_hash: usage.case_set_hash,
    split_filter: null,
    cases: usage.cases,
    reps: side.reps,
    definition_hashes: [side.target_hash],
    errors: usage.errors,
    mean_duration_ms: usage.mean_duration_ms,
    cost_usd: usage.cost_usd,
    total_tokens: usage.total_tokens,
  };
}
