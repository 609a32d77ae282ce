import {
  type FrozenTarget,
  type Generation,
  type JobState,
  nanoUsd,
  type Scorer,
  type StopReason,
  type ThinkingDefaults,
} from '@kiln/contracts';
import { type ClaimDecision, type ClaimFacts, decideClaim, isTerminal, type Judging, type ShardEnd } from '@kiln/running';
import { v4 as uuid } from 'uuid';
import { type Database, type Queryable } from '../database.js';
import { post } from '../outbox/post.js';
import { type Lease, type ShardPhase } from './lease.js';
import { openScoreShard } from './open-score-shard.js';
import { splitShard } from './split-shard.js';

export interface ClaimRequest {
  shardId: string;
  /** The dispatch number of the message that asked for this. */
  dispatch: number;
  workerId: string;
  leaseTtlMs: number;
}

export type ClaimResult =
  | { outcome: 'leased'; lease: Lease; giveUp: 'start_limit' | 'crash_limit' | null }
  | { outcome: Exclude<ClaimDecision['action'], 'lease' | 'give_up'> };

/**
 * Tries to take a dispatched shard: one transaction that locks the shard and its budget, reads run and job, decides in
 * `decideClaim`, applies the decision, and confirms the halt epoch under a share lock as its last statement.
 * Lock order everywhere: shard, budget, run, job.
 */
export function claimShard(db: Database, request: ClaimRequest): Promise<ClaimResult> {
  return db
    .transaction(async (tx): Promise<ClaimResult> => {
      const row = await lockShard(tx, request.shardId);
      if (!row || row.dispatch !== request.dispatch) return { outcome: 'ignore' };
      const facts = await readFacts(tx, row);
      const decision = decideClaim(facts);
      const result = await apply(tx, request, { ...row, k: facts.job.k, jobState: facts.job.state }, decision);
      const [control] = await tx.query<{ epoch: string }>(`SELECT halt_epoch AS epoch FROM control WHERE id = 1 FOR SHARE`);
      // Overtaken by a panic: undo everything; the message is spent, and the sweep ends the job's shards.
      if (result.outcome === 'leased' && control?.epoch !== row.jobHaltEpoch) throw new HaltedDuringClaim();
      return result;
    })
    .catch((error: unknown): ClaimResult => {
      if (error instanceof HaltedDuringClaim) return { outcome: 'ignore' };
      throw error;
    });
}

class HaltedDuringClaim extends Error {}

interface ShardRow {
  id: string;
  projectId: string;
  jobId: string;
  runId: string;
  phase: ShardPhase;
  /** Its run's samples are scored in shards of their own. */
  scoredLater: boolean;
  state: string;
  dispatch: number;
  fence: string;
  firstOrdinal: number;
  count: number;
  starts: number;
  crashes: number;
  recorded: number;
  jobHaltEpoch: string;
  /** Worst case of one sample. */
  costBound: string;
  tokenBound: string;
  runStarted: boolean;
}

async function lockShard(tx: Queryable, shardId: string): Promise<ShardRow | undefined> {
  const [row] = await tx.query<ShardRow>(
    `SELECT s.id, s.project_id AS "projectId", s.job_id AS "jobId", s.run_id AS "runId", s.phase::text,
            s.phase = 'generate' AND r.score_queue IS NOT NULL AS "scoredLater", s.state::text, s.dispatch, s.fence,
            s.first_ordinal AS "firstOrdinal", s.count, s.starts, s.crashes, s.recorded,
            (SELECT halt_epoch FROM jobs j WHERE j.id = s.job_id) AS "jobHaltEpoch", coalesce(s.sample_cost_bound, r.sample_cost_bound) AS "costBound",
            coalesce(s.sample_token_bound, r.sample_token_bound) AS "tokenBound", r.started_at IS NOT NULL AS "runStarted"
       FROM shards s JOIN runs r ON r.id = s.run_id WHERE s.id = $1 FOR UPDATE OF s`,
    [shardId],
  );
  return row;
}

async function readFacts(tx: Queryable, shard: ShardRow): Promise<ClaimFacts & { job: { state: JobState } }> {
  const [budget] = await tx.query<{ costLeft: string | null; tokensLeft: string | null; held: boolean }>(
    `SELECT cost_cap - cost_reserved - cost_spent AS "costLeft", token_cap - tokens_reserved - tokens_spent AS "tokensLeft",
            cost_reserved > 0 OR tokens_reserved > 0 AS held
       FROM budgets WHERE job_id = $1 FOR UPDATE`,
    [shard.jobId],
  );
  // A share lock, so that a cancel which commits is seen by every claim that commits after it. The budget's lock, held by now,
  // already lets only one claim of a job through at a time: no two of them upgrade this lock or take the last free lease.
  const [job] = await tx.query<JobRow>(
    `SELECT state::text, stop_reason AS "stopReason", cancel_requested_at IS NOT NULL AS "cancelRequested", k, concurrency,
            halt_epoch <> (SELECT halt_epoch FROM control WHERE id = 1) AS halted
       FROM jobs WHERE id = $1 FOR SHARE`,
    [shard.jobId],
  );
  const leased = job!.concurrency === null ? 0 : await countLeased(tx, shard.jobId);
  return {
    shard: { ...shard, dispatched: shard.state === 'dispatched' },
    job: { ...job!, terminal: isTerminal(job!.state), leased },
    bound: { costNano: nanoUsd(shard.costBound), tokens: BigInt(shard.tokenBound) },
    left: {
      costNano: budget?.costLeft == null ? null : nanoUsd(budget.costLeft),
      tokens: budget?.tokensLeft == null ? null : BigInt(budget.tokensLeft),
    },
    othersHold: budget?.held ?? false,
  };
}

interface JobRow {
  state: JobState;
  stopReason: StopReason | null;
  cancelRequested: boolean;
  k: number;
  concurrency: number | null;
  halted: boolean;
}

async function countLeased(tx: Queryable, jobId: string): Promise<number> {
  const [row] = await tx.query<{ n: number }>(`SELECT count(*)::int AS n FROM shards WHERE job_id = $1 AND state = 'leased'`, [jobId]);
  return row!.n;
}

type ClaimedShard = ShardRow & { k: number; jobState: JobState };

async function apply(tx: Queryable, request: ClaimRequest, shard: ClaimedShard, decision: ClaimDecision): Promise<ClaimResult> {
  switch (decision.action) {
    case 'ignore':
      return { outcome: 'ignore' };
    case 'wait':
      await tx.query(`UPDATE shards SET state = 'waiting', not_before = now() + interval '200 ms' WHERE id = $1`, [shard.id]);
      return { outcome: 'wait' };
    case 'end':
      return endShard(tx, shard, decision.reason, decision.capped);
    case 'lease': {
      const part = decision.count < shard.count ? await splitShard(tx, shard, decision.count) : shard;
      if (part.recorded === part.count * shard.k) return endShard(tx, shard, 'completed');
      return { outcome: 'leased', lease: await takeLease(tx, request, shard, part, true), giveUp: null };
    }
    case 'give_up':
      // What is only recorded as `error` costs nothing: it needs no room under a cap.
      return { outcome: 'leased', lease: await takeLease(tx, request, shard, shard, false), giveUp: decision.reason };
  }
}

async function endShard(tx: Queryable, shard: ShardRow, reason: ShardEnd, capped?: 'cost_cap' | 'token_cap'): Promise<ClaimResult> {
  await tx.query(`UPDATE shards SET state = 'done', end_reason = $2, done_at = now() WHERE id = $1`, [shard.id, reason]);
  // What was generated and paid for is scored, unless somebody stopped the job.
  if (shard.scoredLater && (reason === 'completed' || reason === 'capped')) await openScoreShard(tx, shard.id);
  if (capped) await tx.query(`UPDATE jobs SET stop_reason = coalesce(stop_reason, $2) WHERE id = $1`, [shard.jobId, capped]);
  await post(tx, capped ? 'job.stopped' : 'shard.ended', shard.jobId);
  return { outcome: 'end' };
}

interface LeaseRow {
  fence: string;
  starts: number;
  suiteVersionId: string;
  selected: boolean;
  effectiveSeed: string;
  generationOverride: Generation | null;
  thinkingDefaults: ThinkingDefaults;
  target: FrozenTarget;
  sourceRunId: string;
  scorer: Scorer | null;
  judging: Judging | null;
  reuseTraces: boolean;
  replayOf: string | null;
  waitedMs: number;
}

async function takeLease(
  tx: Queryable,
  request: ClaimRequest,
  shard: ClaimedShard,
  part: { count: number; recorded: number },
  reserve: boolean,
): Promise<Lease> {
  const claimToken = uuid();
  const reserved = reserve ? part.count * shard.k - part.recorded : 0;
  const [row] = await tx.query<LeaseRow>(
    `WITH leased AS (
       UPDATE shards s
          SET state = 'leased', fence = s.fence + 1, claim_token = $2, worker_id = $3, starts = s.starts + 1,
              lease_until = now() + make_interval(secs => $4::float8 / 1000),
              cost_reserved = coalesce(s.sample_cost_bound, r.sample_cost_bound) * $5,
              tokens_reserved = coalesce(s.sample_token_bound, r.sample_token_bound) * $5
         FROM runs r, jobs j, targets t
        WHERE s.id = $1 AND r.id = s.run_id AND j.id = s.job_id AND t.id = r.target_id
        RETURNING s.fence, s.starts, s.job_id, s.cost_reserved, s.tokens_reserved, j.suite_version_id AS "suiteVersionId",
                  j.selection IS NOT NULL AS selected, j.effective_seed AS "effectiveSeed",
                  j.generation_override AS "generationOverride", j.thinking_defaults AS "thinkingDefaults", t.definition AS target,
                  coalesce(r.source_run_id, r.id) AS "sourceRunId", r.scorer, r.judging, j.reuse_traces AS "reuseTraces",
                  r.expectation->>'source_run_id' AS "replayOf",
                  extract(epoch FROM now() - j.submitted_at)::float8 * 1000 AS "waitedMs"),
     reserved AS (
       UPDATE budgets b SET cost_reserved = b.cost_reserved + leased.cost_reserved,
              tokens_reserved = b.tokens_reserved + leased.tokens_reserved
         FROM leased WHERE b.job_id = leased.job_id)
     SELECT * FROM leased`,
    [shard.id, claimToken, request.workerId, request.leaseTtlMs, reserved],
  );
  if (!shard.runStarted) await tx.query(`UPDATE runs SET started_at = now() WHERE id = $1 AND started_at IS NULL`, [shard.runId]);
  if (shard.jobState === 'queued') {
    await tx.query(`UPDATE jobs SET state = 'running', started_at = now() WHERE id = $1 AND state = 'queued'`, [shard.jobId]);
  }
  return {
    shardId: shard.id,
    fence: row!.fence,
    claimToken,
    projectId: shard.projectId,
    jobId: shard.jobId,
    runId: shard.runId,
    phase: shard.phase,
    firstOrdinal: shard.firstOrdinal,
    count: part.count,
    k: shard.k,
    costBoundNano: reserve ? nanoUsd(shard.costBound) : 0n,
    tokenBound: reserve ? BigInt(shard.tokenBound) : 0n,
    starts: row!.starts,
    crashes: shard.crashes,
    suiteVersionId: row!.suiteVersionId,
    selected: row!.selected,
    effectiveSeed: BigInt(row!.effectiveSeed),
    generationOverride: row!.generationOverride,
    thinkingDefaults: row!.thinkingDefaults,
    target: row!.target,
    scoredLater: shard.scoredLater,
    sourceRunId: row!.sourceRunId,
    scorer: row!.scorer,
    judging: row!.judging,
    reuseTraces: row!.reuseTraces,
    replayOf: row!.replayOf,
    waitedMs: row!.waitedMs,
  };
}
