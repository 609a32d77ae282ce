import { type GateOutcome, type GateRequestOf, type ObjectiveGatesEvidence } from '@kiln/contracts';
import { type JobTotals } from '../../job-completeness.js';
import { type Readings } from '../error-bounds-v1.js';
import { type VerdictSubject } from '../verdict-subject.js';
import { categoryRows } from './category-rows.js';
import { divergence } from './divergence.js';
import { sumOfVotes, type PairVotes } from './judged-pairs.js';
import { type ObjectiveTotals } from './objective-gates-accumulator.js';
import { objectiveMetrics } from './objective-metrics.js';
import { type ObjectiveNumbers, objectiveReading } from './objective-reading.js';
import { objectiveThresholds } from './thresholds.js';
import { joinedExtremes, withErrorsFilled } from './with-errors-filled.js';

/** Everything that `objective_gates_v1` decides from. */
export interface ObjectiveGatesInput extends VerdictSubject {
  readonly totals: ObjectiveTotals;
  /** Of all runs of the job: completeness is the job's, not the pair's. */
  readonly job: JobTotals;
  /** Decided pairs by category; a category without votes is not listed. */
  readonly votes: ReadonlyMap<string, PairVotes>;
  readonly requirements: GateRequestOf<'objective_gates_v1'>;
}

export interface ObjectiveGatesDecision {
  readonly outcome: GateOutcome;
  readonly reason: string;
  /** null when there is nothing to decide on (outcome `error`). */
  readonly evidence: ObjectiveGatesEvidence | null;
}

/**
 * The rule of `objective_gates_v1`: conjunctive and asymmetric. Three gates on what is measured without a judge can reject
 * a candidate and never promote it; only then does the judges' win rate decide. A stopped job is decided like any other,
 * as long as enough of it ran (ruling 19).
 *
 * Source: contracts §3.1, §3.2.
 */
export function objectiveGatesV1(input: ObjectiveGatesInput): ObjectiveGatesDecision {
  const { baseline, candidate, requirements, totals, votes } = input;
  const refusal = refused(input);
  if (refusal !== null || baseline === null || candidate === null) {
    return { outcome: 'error', reason: refusal ?? 'a run is missing', evidence: null };
  }
  const thresholds = objectiveThresholds(requirements);
  const { reading, reason } = objectiveReading(objectiveReadings(input).actual, thresholds);
  const categories = categoryRows(totals.categories, votes, thresholds);
  const evidence: ObjectiveGatesEvidence = {
    policy_version: 'objective_gates_v1',
    eval_job_id: input.eval_job_id,
    suite_name: candidate.suite_name,
    suite_hash: candidate.suite_hash,
    ...reading,
    completeness_floor: thresholds.completeness_floor,
    win_threshold: thresholds.win_threshold,
    baseline: objectiveMetrics(baseline, totals.baseline),
    candidate: objectiveMetrics(candidate, totals.candidate),
    categories,
    divergence: divergence(reading.decision, categories),
  };
  return { outcome: reading.outcome, reason, evidence };
}

/**
 * The numbers as measured, and with every error as a sample at the candidate's worst and best. An error that kept a pair
 * from being judged is then a pair that the candidate lost, or won, once any pair is judged.
 */
export function objectiveReadings({ totals, job, votes }: ObjectiveGatesInput): Readings<ObjectiveNumbers> {
  const { baseline, candidate, pairs, pairs_lost_to_errors: lost } = totals;
  const seen = joinedExtremes(baseline.extremes, candidate.extremes);
  const measured = sumOfVotes(votes.values());
  const judged = measured.wins + measured.losses + measured.ties > 0;
  const expected_samples = job.expected_samples;
  const filled = { ok_samples: job.ok_samples + job.error_samples, expected_samples, pairs: pairs + lost };
  const withVotes = (more: Partial<PairVotes>): PairVotes =>
    judged ? sumOfVotes([measured, { wins: 0, losses: 0, ties: 0, ...more }]) : measured;
  return {
    actual: { baseline, candidate, completeness: { ok_samples: job.ok_samples, expected_samples, pairs }, votes: measured },
    worst: {
      baseline: withErrorsFilled(baseline, seen, 'least'),
      candidate: withErrorsFilled(candidate, seen, 'most'),
      completeness: filled,
      votes: withVotes({ losses: lost }),
    },
    best: {
      baseline: withErrorsFilled(baseline, seen, 'most'),
      candidate: withErrorsFilled(candidate, seen, 'least'),
      completeness: filled,
      votes: withVotes({ wins: lost }),
    },
  };
}

function refused({ job_state, baseline, candidate }: ObjectiveGatesInput): string | null {
  if (!['completed', 'capped', 'cancelled'].includes(job_state)) return `the job is ${job_state}; only a job that ended can be decided`;
  if (baseline === null) return 'there is no baseline run';
  if (candidate === null) return 'there is no candidate run';
  return baseline.suite_hash === candidate.suite_hash ? null : 'the runs are of different versions of the suite';
}
