import { aggregationLabel, type GateRequest, type JobState, type Metrics } from '@kiln/contracts';
import {
  type Database,
  type FinishedComparison,
  type FinishingJob,
  type FinishingRun,
  type PageExample,
  readRunTotals,
  type ReducedRow,
} from '@kiln/database';
import { type BoundedOutcome } from '@kiln/outcomes';
import { canonicalJson } from '@kiln/provenance';
import { ComparisonAccumulator, decideVerdict, type GateSide } from '@kiln/verdicts';
import { readPages } from './read-pages.js';
import { RunReducer } from './run-reducer.js';

/** What a job came to, in the form in which it is stored. */
export interface ComputedResults {
  readonly runs: readonly { readonly run: FinishingRun; readonly metrics: Metrics }[];
  /** One a candidate; the baseline is the first run. */
  readonly comparisons: readonly FinishedComparison[];
}

export interface ComputeOptions {
  /** The state that the job ended in, or ends in now. */
  readonly state: JobState;
  /** Decides every candidate by it; null = no verdicts. Need not be the gate that the job asked for. */
  readonly gate: GateRequest | null;
  /** Takes the reduced outcomes of each page, run by run, while the next page is read. */
  readonly onReduced?: (run: FinishingRun, rows: ReducedRow[]) => Promise<void>;
}

/**
 * Computes a job's results from its stored rows: streams the raw outcomes of all runs side by side in suite order, reduces,
 * measures, compares and decides. Writes nothing, and the same rows give the same bytes whenever it is asked.
 *
 * @throws ReducerError when the rows contradict the job's definition.
 */
export async function computeResults(db: Database, job: FinishingJob, options: ComputeOptions): Promise<ComputedResults> {
  const [{ runs, comparisons }, totals] = await Promise.all([
    reduceRuns(db, job, options),
    Promise.all(job.runs.map((run) => readRunTotals(db, run.id))),
  ]);
  return {
    runs: runs.map((run, index) => ({ run: run.run, metrics: run.metrics(totals[index]!) })),
    comparisons: comparisons.map((comparison) => finished(job, options, comparison)),
  };
}

interface RunComparison {
  candidate: RunReducer;
  baseline: RunReducer;
  pairs: ComparisonAccumulator;
}

async function reduceRuns(
  db: Database,
  job: FinishingJob,
  { onReduced }: ComputeOptions,
): Promise<{ runs: RunReducer[]; comparisons: RunComparison[] }> {
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
    if (onReduced) await Promise.all([...reduced].map(([{ run }, byOrdinal]) => onReduced(run, reducedRows(byOrdinal))));
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

function finished(job: FinishingJob, { state, gate }: ComputeOptions, { baseline, candidate, pairs }: RunComparison): FinishedComparison {
  const result = pairs.finish();
  const verdict =
    gate === null
      ? null
      : decideVerdict(
          {
            eval_job_id: job.id,
            job_state: state,
            baseline: gateSide(job, baseline),
            candidate: gateSide(job, candidate),
            requirements: gate,
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
