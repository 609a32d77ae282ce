import { type JobState, type ReplayRecordHeader, type ReplayVerdict } from '@kiln/contracts';
import {
  type Database,
  failJob,
  findRepeatableJob,
  finishJob,
  type FinishingJob,
  insertReduced,
  readFinishingJob,
  refreshStatistics,
} from '@kiln/database';
import { type Logger, type Metrics } from '@kiln/observability';
import { ReducerError } from '@kiln/outcomes';
import { compareReplay, computeResults, freezeReplayRecord } from '@kiln/results';
import { finalState } from '@kiln/running';

/** Samples from which on reading a job's rows with outdated statistics would show. */
const LARGE_JOB = 5_000;

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
  if (job.exampleCount * job.k * job.runs.length >= LARGE_JOB) await refreshStatistics(db);
  try {
    const { runs, comparisons } = await computeResults(db, job, {
      state,
      gate,
      onReduced: (run, rows) => insertReduced(db, projectId, run.id, rows),
    });
    const { records, replayVerdict } = await frozenReplays(db, job, state);
    const measured = runs.map(({ run, metrics: measures }) => ({
      runId: run.id,
      metrics: measures,
      replayRecord: records.get(run.id) ?? null,
    }));
    if (!(await finishJob(db, { jobId: id, projectId, state, runs: measured, comparisons: [...comparisons], replayVerdict }))) return null;
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

/** What the job can be replayed by, and, when it is a replay itself, what it came to. Only what was completed can be replayed. */
async function frozenReplays(
  db: Database,
  { id, projectId, kind }: FinishingJob,
  state: JobState,
): Promise<{ records: Map<string, ReplayRecordHeader | null>; replayVerdict: ReplayVerdict | null }> {
  const records = new Map<string, ReplayRecordHeader | null>();
  if (state !== 'completed' && kind !== 'replay') return { records, replayVerdict: null };
  const job = await findRepeatableJob(db, projectId, id);
  if (job === null) return { records, replayVerdict: null };
  if (state === 'completed') for (const run of job.runs) records.set(run.id, await freezeReplayRecord(db, job, run));
  const expectation = job.runs[0]?.expectation ?? null;
  return { records, replayVerdict: expectation && (await compareReplay(db, job, expectation, state)) };
}
