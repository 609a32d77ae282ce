import { type GateRequest, type JobState, type Metrics, type Verdict } from '@kiln/contracts';
import {
  type Database,
  type FinishedComparison,
  type FinishingJob,
  type FinishingRun,
  readRunTotals,
  type ReducedRow,
} from '@kiln/database';
import { ClusterIndex } from '@kiln/outcomes';
import { canonicalJson } from '@kiln/provenance';
import { CandidateAccumulator, type CandidateResult, decideVerdict, JobCompletenessTally, type JobTotals } from '@kiln/verdicts';
import { comparedExamples } from './compared-examples.js';
import { gateSide } from './gate-side.js';
import { readPages } from './read-pages.js';
import { type ReducedExample, RunReducer } from './run-reducer.js';

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
  const [{ runs, candidates, completeness }, totals] = await Promise.all([
    reduceRuns(db, job, options),
    Promise.all(job.runs.map((run) => readRunTotals(db, run.id))),
  ]);
  return {
    runs: runs.map((run, index) => ({ run: run.run, metrics: run.metrics(totals[index]!) })),
    comparisons: candidates.map((candidate) => finished(job, options, candidate, completeness)),
  };
}

/** A candidate beside the baseline. */
interface Candidate {
  readonly baseline: RunReducer;
  readonly run: RunReducer;
  readonly accumulator: CandidateAccumulator;
}

interface ReducedRuns {
  readonly runs: RunReducer[];
  readonly candidates: Candidate[];
  readonly completeness: JobTotals;
}

async function reduceRuns(db: Database, job: FinishingJob, { gate, onReduced }: ComputeOptions): Promise<ReducedRuns> {
  const runs = job.runs.map((run) => new RunReducer(run, job.aggregation, job.k, job.exampleCount));
  const [baseline, ...others] = runs;
  const clusters = new ClusterIndex();
  const completeness = new JobCompletenessTally(job.exampleCount * job.k * runs.length);
  const candidates = others.map((run): Candidate => {
    const sides = { baseline: baseline!.identity, candidate: run.identity };
    return { baseline: baseline!, run, accumulator: new CandidateAccumulator(sides, gate?.policy ?? null, clusters) };
  });
  for await (const { examples, outcomes } of readPages(db, job)) {
    const reduced = new Map(runs.map((run, index) => [run, run.reducePage(examples, outcomes[index]!)]));
    for (const row of outcomes.flat()) completeness.add(row.kind);
    for (const { baseline: base, run, accumulator } of candidates) {
      for (const example of comparedExamples(examples, [base, reduced.get(base)!], [run, reduced.get(run)!])) accumulator.add(example);
    }
    if (onReduced) await Promise.all([...reduced].map(([{ run }, byOrdinal]) => onReduced(run, reducedRows(byOrdinal))));
  }
  return { runs, candidates, completeness: completeness.totals };
}

function reducedRows(byOrdinal: ReadonlyMap<number, ReducedExample>): ReducedRow[] {
  return [...byOrdinal].flatMap(([ordinal, { outcome }]) => {
    if (outcome === null) return [];
    const { actual } = outcome;
    return [
      {
        ordinal,
        kind: actual.kind,
        score: actual.score,
        representative: actual.representative_completion_index,
        numPass: actual.num_pass,
        numFail: actual.num_fail,
        numInvalid: actual.num_invalid,
        numError: actual.num_error,
        numSkipped: actual.num_skipped,
      },
    ];
  });
}

function finished(
  job: FinishingJob,
  options: ComputeOptions,
  { baseline, run, accumulator }: Candidate,
  completeness: JobTotals,
): FinishedComparison {
  const result = accumulator.finish();
  const verdict = decided(job, options, { baseline, run, result }, completeness);
  return {
    baselineRunId: baseline.run.id,
    candidateRunId: run.run.id,
    inputDigest: result.paired.rows_digest,
    body: canonicalJson(result.paired.comparison),
    verdict: verdict && { verdict, body: canonicalJson(verdict) },
  };
}

function decided(
  job: FinishingJob,
  { state, gate }: ComputeOptions,
  { baseline, run, result }: { readonly baseline: RunReducer; readonly run: RunReducer; readonly result: CandidateResult },
  completeness: JobTotals,
): Verdict | null {
  if (gate === null) return null;
  return decideVerdict(
    {
      eval_job_id: job.id,
      job_state: state,
      baseline: gateSide(job, baseline),
      candidate: gateSide(job, run),
      requirements: gate,
      job: completeness,
      votes: new Map(),
    },
    result,
  );
}
