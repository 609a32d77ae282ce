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
  readPageExamples,
  readPageOutcomes,
  readRunTotals,
  type ReducedRow,
} from '@kiln/database';
import { type Logger, type Metrics } from '@kiln/observability';
import { type BoundedOutcome, ReducerError } from '@kiln/outcomes';
import { canonicalJson } from '@kiln/provenance';
import { finalState } from '@kiln/running';
import { ComparisonAccumulator, decideVerdict, type GateSide } from '@kiln/verdicts';
import { RunReducer } from './run-reducer.js';

/** Raw outcomes read at a time, per run: memory stays the same for any job. */
const PAGE_SAMPLES = 4096;

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
    const { runs, comparisons } = await reduceRuns(db, job);
    const state = finalState(job.stopReason);
    const measured = await Promise.all(
      runs.map(async (run) => ({ runId: run.run.id, metrics: run.metrics(await readRunTotals(db, run.run.id)) })),
    );
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
  const count = Math.max(1, Math.floor(PAGE_SAMPLES / job.k));
  for (let first = 0; first < job.exampleCount; first += count) {
    const page = { jobId: job.id, suiteVersionId: job.suiteVersionId, first, count };
    const examples = await readPageExamples(db, page);
    const reduced = new Map<RunReducer, Map<number, BoundedOutcome>>();
    for (const run of runs) {
      const outcomes = await readPageOutcomes(db, { runId: run.run.id, first, count });
      const byOrdinal = run.reducePage(examples, outcomes);
      await insertReduced(db, job.projectId, run.run.id, reducedRows(byOrdinal));
      reduced.set(run, byOrdinal);
    }
    for (const comparison of comparisons) addPairs(comparison, examples, reduced);
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
