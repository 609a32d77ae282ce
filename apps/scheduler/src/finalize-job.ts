import { type Database, failJob, finishJob, insertReduced, readFinishingJob } from '@kiln/database';
import { type Logger, type Metrics } from '@kiln/observability';
import { ReducerError } from '@kiln/outcomes';
import { computeResults } from '@kiln/results';
import { finalState } from '@kiln/running';

/**
 * Turns a job whose shards have all ended into its result: computes it from the stored rows, writes it, and ends the job.
 * Running it again changes nothing.
 *
 * @returns the job's final state, or null when it had ended already
 */
export async function finalizeJob(db: Database, jobId: string, metrics: Metrics, log: Logger): Promise<string | null> {
  const job = await readFinishingJob(db, jobId);
  if (!job) return null;
  const { id, projectId, gate } = job;
  const state = finalState(job.stopReason);
  try {
    const { runs, comparisons } = await computeResults(db, job, {
      state,
      gate,
      onReduced: (run, rows) => insertReduced(db, projectId, run.id, rows),
    });
    const measured = runs.map((run) => ({ runId: run.run.id, metrics: run.metrics }));
    if (!(await finishJob(db, { jobId: id, projectId, state, runs: measured, comparisons: [...comparisons] }))) return null;
    for (const { run } of runs) metrics.runsFinished.inc({ kind: run.target.kind, terminal: state });
    return state;
  } catch (error) {
    if (!(error instanceof ReducerError)) throw error;
    // The rows contradict the job's definition: no number of it can be believed, and trying again would not help.
    log.error({ err: error, job: jobId }, 'the job’s outcomes are inconsistent');
    await failJob(db, jobId, error.message);
    return 'failed';
  }
}
