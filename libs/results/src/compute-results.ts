import { type GateRequest, type JobState } from '@kiln/contracts';
import { type Database, type FinishingJob, type FinishingRun, readRunTotals, type ReducedRow } from '@kiln/database';
import { type SignFlipResult } from '@kiln/statistics';
import { type ComputedResults } from './computed-results.js';
import { JobReducer } from './job-reducer.js';
import { readPages } from './read-pages.js';
import { signFlipTests } from './sign-flip/sign-flip-tests.js';

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
export async function computeResults(
  db: Database,
  job: FinishingJob,
  { state, gate, onReduced }: ComputeOptions,
): Promise<ComputedResults> {
  const reducer = new JobReducer(job, gate);
  const reduce = async (): Promise<void> => {
    for await (const page of readPages(db, job)) {
      const reduced = reducer.addPage(page);
      if (onReduced) await Promise.all(job.runs.map((run, index) => onReduced(run, reduced[index]!)));
    }
  };
  const [totals] = await Promise.all([Promise.all(job.runs.map((run) => readRunTotals(db, run.id))), reduce()]);
  const signFlips: (SignFlipResult | null)[][] = [];
  // One candidate after the other: the tests of one keep a core busy.
  for (const inputs of reducer.signFlipInputs) signFlips.push(await signFlipTests(inputs));
  return reducer.finish(totals, state, signFlips);
}
