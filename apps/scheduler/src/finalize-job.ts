import { aggregationLabel, type JobState } from '@kiln/contracts';
import {
  type Database,
  failJob,
  type FinishedComparison,
  finishJob,
  type FinishingJob,
  insertReduced,
  type PageExample,
  readFinishingJob,
  readRunTotals,
  type ReducedRow,
} from '@kiln/database';
import { type Logger, type Metrics } from '@kiln/observability';
import { type BoundedOutcome, ReducerError } from '@kiln/outcomes';
import { canonicalJson } from '@kiln/provenance';
import { finalState } from '@kiln/running';
import { ComparisonAccumulator, decideVerdict, type GateSide } from '@kiln/verdicts';
import { readPages } from './read-pages.js';
import { RunReducer } from './run-reducer.js';

/**
 * Turns a job whose shards have all ended into its result: streams the raw outcomes of all runs side by side in suite order,
 * reduces, measures, compares, decides, and ends the job. Running it again changes nothing.
 *
 * @returns the job's final state, or null when it had ended already
 */
export async function finalizeJob(db: Database, jobId: string, metrics: Metrics, log: Logger): Promise<string | null> {
  const job = await readFinishingJob(db, jobId);
  if (!job) return null;
  try {
    const [{ runs, comparisons }, totals] = await Promise.all([
      reduceRuns(db, job),
      Promise.all(job.runs.map((run) => readRunTotals(db, run.id))),
    ]);
    const state = finalState(job.stopReason);
    const measured = runs.map((run, index) => ({ runId: run.run.id, metrics: run.metrics(totals[index]!) }));
    const finished = comparisons.map((comparison) => decided(job, state, comparison));
    const { id, projectId } = job;
    if (!(await finishJob(db, { jobId: id, projectId, state, runs: measured, comparisons: finished }))) return null;
    for (const run of runs) metrics.runsFinished.inc({ kind: run.run.target.kind, terminal: state });
    return state;
  } catch (error) {
    if (!(error instanceof ReducerError)) throw error;
    // The rows contradict the job's definition: no number of it can be believed, and trying again would not help.
    log.error({ err: error, job: jobId }, 'the job’s outcomes are inconsistent');
    await failJob(db, jobId, error.message);
    return 'failed';
  }
}

interface RunComparison {
  candidate: RunReducer;
  baseline: RunReducer;
  pairs: ComparisonAccumulator;
}

async function reduceRuns(db: Database, job: FinishingJob): Promise<{ runs: RunReducer[]; comparisons: RunComparison[] }> {
  const runs = job.runs.map((run) => new RunReducer(run, job.aggregation, job.k, job.exampleCount));
  const [baseline, ...candidates] = runs;
  const comparisons = candidates.map((candidate) => ({
    baseline: baseline!,
    candidate,
    pairs: new ComparisonAccumulator({ baseline: baseline!.identity, candidate: candidate.identity }),
  }));
  for await (const { examples, outcomes } of readPages(db, job)) {
    const reduced = new Map(runs.map((run, index) => [run, run.reducePage(examples, outcomes[index]!)]));
    for (const comparison of comparisons) addPairs(comparison, examples, reduced);
    await Promise.all([...reduced].map(([{ run }, byOrdinal]) => insertReduced(db, job.projectId, run.id, reducedRows(byOrdinal))));
  }
  return { runs, comparisons };
}

function addPairs(
  { baseline, candidate, pairs }: RunComparison,
  examples: readonly PageExample[],
  reduced: ReadonlyMap<RunReducer, ReadonlyMap<number, BoundedOutcome>>,
): void {
  for (const { ordinal, key } of examples) {
    pairs.add({
      ordinal,
      example_id: key,
      baseline: reduced.get(baseline)!.get(ordinal) ?? null,
      candidate: reduced.get(candidate)!.get(ordinal) ?? null,
    });
  }
}

function reducedRows(byOrdinal: ReadonlyMap<number, BoundedOutcome>): ReducedRow[] {
  return [...byOrdinal].map(([ordinal, { actual }]) => ({
    ordinal,
    kind: actual.kind,
    score: actual.score,
    representative: actual.representative_completion_index,
    numPass: actual.num_pass,
    numFail: actual.num_fail,
    numInvalid: actual.num_invalid,
    numError: actual.num_error,
    numSkipped: actual.num_skipped,
  }));
}

function decided(job: FinishingJob, state: JobState, { baseline, candidate, pairs }: RunComparison): FinishedComparison {
  const result = pairs.finish();
  const verdict =
    job.gate === null
      ? null
      : decideVerdict(
          {
            eval_job_id: job.id,
            job_state: state,
            baseline: gateSide(job, baseline),
            candidate: gateSide(job, candidate),
            requirements: job.gate,
          },
          result,
        );
  return {
    baselineRunId: baseline.run.id,
    candidateRunId: candidate.run.id,
    inputDigest: result.rows_digest,
    body: canonicalJson(result.comparison),
    verdict: verdict === null ? null : { verdict, body: canonicalJson(verdict) },
  };
}

function gateSide(job: FinishingJob, { identity, run }: RunReducer): GateSide {
  return {
    run_index: identity.run_index,
    suite_name: job.suiteName,
    suite_hash: job.suiteHash,
    effective_generation_hash: run.effectiveGenerationHash,
    aggregation: aggregationLabel(job.aggregation),
    adapter: identity.adapter,
  };
}
