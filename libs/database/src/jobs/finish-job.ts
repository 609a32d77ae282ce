import { type Metrics, type ReplayRecordHeader, type ReplayVerdict, type Verdict } from '@kiln/contracts';
import { v7 as uuid } from 'uuid';
import { type Database, type Queryable } from '../database.js';
import { post } from '../outbox/post.js';
import { PRIMARY_SCORER } from '../outcomes/insert-reduced.js';
import { storableJson } from '../shards/storable-json.js';
import { UNFINISHED_STATES } from './unfinished-states.js';

export interface FinishedJob {
  jobId: string;
  projectId: string;
  state: 'completed' | 'capped' | 'cancelled' | 'failed';
  runs: { runId: string; metrics: Metrics; replayRecord?: ReplayRecordHeader | null }[];
  comparisons: FinishedComparison[];
  /** Of a replay. */
  replayVerdict?: ReplayVerdict | null;
}

export interface FinishedComparison {
  baselineRunId: string;
  candidateRunId: string;
  inputDigest: string;
  /** Canonical JSON of the comparison. */
  body: string;
  verdict: { verdict: Verdict; body: string } | null;
}

/**
 * Writes what a job came to and ends it, in one transaction. Running it again changes nothing: a job that has ended is left
 * alone, and there is one verdict per (comparison, policy version, input digest).
 *
 * @returns false when the job had ended already
 */
export function finishJob(db: Database, finished: FinishedJob): Promise<boolean> {
  return db.transaction(async (tx) => {
    const ended = await tx.query(
      `UPDATE jobs SET state = $2::job_state, finished_at = now(), replay_verdict = $3
        WHERE id = $1 AND state IN ${UNFINISHED_STATES} RETURNING id`,
      [finished.jobId, finished.state, storableJson(finished.replayVerdict)],
    );
    if (ended.length === 0) return false;
    for (const run of finished.runs) {
      await tx.query(`UPDATE runs SET metrics = $2, replay_record = $3, finished_at = now() WHERE id = $1`, [
        run.runId,
        JSON.stringify(run.metrics),
        storableJson(run.replayRecord),
      ]);
    }
    for (const comparison of finished.comparisons) await insertComparison(tx, finished, comparison);
    await post(tx, 'job.finished', finished.jobId);
    return true;
  });
}

async function insertComparison(tx: Queryable, job: FinishedJob, finished: FinishedComparison): Promise<void> {
  const id = uuid();
  const made = await tx.query(
    `INSERT INTO comparisons (id, project_id, job_id, baseline_run_id, candidate_run_id, scorer_id, input_digest, body)
     VALUES ($1, $2, $3, $4, $5, ${PRIMARY_SCORER}, $6, $7)
     ON CONFLICT (baseline_run_id, candidate_run_id, scorer_id) DO NOTHING RETURNING id`,
    [id, job.projectId, job.jobId, finished.baselineRunId, finished.candidateRunId, finished.inputDigest, finished.body],
  );
  if (made.length === 0 || finished.verdict === null) return;
  const { verdict, body } = finished.verdict;
  await tx.query(
    `INSERT INTO verdicts (id, project_id, job_id, comparison_id, policy_version, input_digest, outcome, body)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (comparison_id, policy_version, input_digest) DO NOTHING`,
    [uuid(), job.projectId, job.jobId, id, verdict.policy_version, verdict.input_digest, verdict.outcome, body],
  );
}

/** Ends a job that cannot be finished: its stored rows are inconsistent. A job that has ended is left alone. */
export function failJob(db: Database, jobId: string, reason: string): Promise<void> {
  return db.transaction(async (tx) => {
    const failed = await tx.query(
      `UPDATE jobs SET state = 'failed', error = $2, finished_at = now()
        WHERE id = $1 AND state IN ${UNFINISHED_STATES} RETURNING id`,
      [jobId, reason.slice(0, 1000)],
    );
    if (failed.length > 0) await post(tx, 'job.finished', jobId);
  });
}
