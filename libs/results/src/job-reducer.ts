import { type Comparison, type GateRequest, type JobState, type Verdict } from '@kiln/contracts';
import { type FinishedComparison, type FinishingJob, type ReducedRow, type RunTotals } from '@kiln/database';
import { ClusterIndex } from '@kiln/outcomes';
import { canonicalJson } from '@kiln/provenance';
import {
  adjustedComparisons,
  CandidateAccumulator,
  type CandidateResult,
  decideVerdict,
  JobCompletenessTally,
  type SignFlipInput,
} from '@kiln/verdicts';
import { type SignFlipResult } from '@kiln/statistics';
import { comparedExamples } from './compared-examples.js';
import { type ComputedResults } from './computed-results.js';
import { gateSide } from './gate-side.js';
import { type JobPage } from './read-pages.js';
import { type ReducedExample, RunReducer } from './run-reducer.js';

/** A candidate beside the baseline. */
interface Candidate {
  readonly baseline: RunReducer;
  readonly run: RunReducer;
  readonly accumulator: CandidateAccumulator;
}

/**
 * Reduces, measures, compares and decides a job page by page, without a database. The pages may be cut anywhere between
 * examples: the results are the same bytes.
 */
export class JobReducer {
  readonly #runs: readonly RunReducer[];
  readonly #candidates: readonly Candidate[];
  readonly #completeness: JobCompletenessTally;

  /** @param gate decides every candidate; null = no verdicts. Need not be the gate that the job asked for. */
  constructor(
    private readonly job: FinishingJob,
    private readonly gate: GateRequest | null,
  ) {
    const { aggregation, k, exampleCount } = job;
    const clusters = new ClusterIndex();
    this.#runs = job.runs.map((run) => new RunReducer(run, aggregation, k, exampleCount, clusters));
    const [baseline, ...others] = this.#runs;
    this.#candidates = others.map((run) => {
      const sides = { baseline: baseline!.identity, candidate: run.identity };
      return { baseline: baseline!, run, accumulator: new CandidateAccumulator(sides, gate?.policy ?? null, clusters) };
    });
    this.#completeness = new JobCompletenessTally(exampleCount * k * job.runs.length);
  }

  /**
   * Takes the next examples in suite order.
   *
   * @returns the reduced outcomes of each run, in the order of the runs.
   * @throws ReducerError when the rows contradict the job's definition.
   */
  addPage({ examples, outcomes }: JobPage): ReducedRow[][] {
    const reduced = this.#runs.map((run, index) => run.reducePage(examples, outcomes[index] ?? []));
    for (const rows of outcomes) for (const { kind } of rows) this.#completeness.add(kind);
    const of = new Map(this.#runs.map((run, index) => [run, reduced[index]!]));
    for (const { baseline, run, accumulator } of this.#candidates) {
      for (const example of comparedExamples(examples, [baseline, of.get(baseline)!], [run, of.get(run)!])) accumulator.add(example);
    }
    return reduced.map(reducedRows);
  }

  /** What the sign-flip tests of each candidate take, once all pages are there: for whoever runs them elsewhere. */
  get signFlipInputs(): SignFlipInput[][] {
    return this.#candidates.map(({ accumulator }) => accumulator.signFlipInputs);
  }

  /**
   * Can be called once.
   *
   * @param totals of each run, in the order of the runs.
   * @param state the state that the job ended in, or ends in now.
   * @param signFlips the tests of {@link signFlipInputs}; computed here when absent.
   */
  finish(totals: readonly RunTotals[], state: JobState, signFlips: readonly (readonly (SignFlipResult | null)[])[] = []): ComputedResults {
    const results = this.#candidates.map(({ accumulator }, index) => accumulator.finish(signFlips[index]));
    const comparisons = adjustedComparisons(results.map(({ paired }) => paired.comparison));
    return {
      runs: this.#runs.map((run, index) => ({ run: run.run, metrics: run.metrics(totals[index]!) })),
      comparisons: this.#candidates.map((candidate, index) => this.#finished(candidate, results[index]!, comparisons[index]!, state)),
    };
  }

  #finished({ baseline, run }: Candidate, result: CandidateResult, comparison: Comparison, state: JobState): FinishedComparison {
    const verdict = this.#decided(baseline, run, result, state);
    return {
      baselineRunId: baseline.run.id,
      candidateRunId: run.run.id,
      inputDigest: result.paired.rows_digest,
      body: canonicalJson(comparison),
      verdict: verdict && { verdict, body: canonicalJson(verdict) },
    };
  }

  #decided(baseline: RunReducer, run: RunReducer, result: CandidateResult, state: JobState): Verdict | null {
    if (this.gate === null) return null;
    const request = {
      eval_job_id: this.job.id,
      job_state: state,
      baseline: gateSide(this.job, baseline),
      candidate: gateSide(this.job, run),
      requirements: this.gate,
      job: this.#completeness.totals,
      votes: new Map(),
    };
    return decideVerdict(request, result);
  }
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
