import { formatNanoUsd, KilnError } from '@kiln/contracts';
import { v7 as uuid } from 'uuid';
import { recordAudit } from '../audit/record-audit.js';
import { type Database, type Queryable } from '../database.js';
import { post } from '../outbox/post.js';
import { boundScoreShards } from '../shards/open-score-shard.js';
import { type Admission, type AdmittedRun } from './admission.js';

/**
 * Runs an admission: everything that `work` writes, or nothing. The halt epoch is read first without a lock, and confirmed
 * under a share lock as the last statement before the commit: a panic never waits for a long admission, and an admission that
 * a panic overtook is refused.
 *
 * @throws KilnError `halted` when the fleet is halted, or was halted meanwhile
 */
export function withAdmission<T>(db: Database, work: (tx: Queryable, haltEpoch: string) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    const before = await readControl(tx, '');
    const result = await work(tx, before.haltEpoch);
    const after = await readControl(tx, 'FOR SHARE');
    if (after.haltEpoch !== before.haltEpoch) throw halted(after.reason);
    return result;
  });
}

async function readControl(tx: Queryable, lock: '' | 'FOR SHARE'): Promise<{ haltEpoch: string; reason: string | null }> {
  const [control] = await tx.query<{ haltEpoch: string; halted: boolean; reason: string | null }>(
    `SELECT halt_epoch AS "haltEpoch", halted, reason FROM control WHERE id = 1 ${lock}`,
  );
  if (!control || control.halted) throw halted(control?.reason ?? null);
  return control;
}

function halted(reason: string | null): KilnError {
  return new KilnError('halted', `the fleet is halted${reason ? `: ${reason}` : ''}`, {
    hint: 'an operator must resume it; submit the job again after that',
  });
}

/**
 * Writes a job with its runs, budget and shards. Shards are ranges, so this is a few hundred rows even for a million samples.
 * Call it inside `withAdmission`.
 *
 * @returns the new job's id
 */
export async function admitJob(tx: Queryable, admission: Admission, haltEpoch: string): Promise<string> {
  const jobId = uuid();
  await insertJob(tx, jobId, admission, haltEpoch);
  await insertSelection(tx, jobId, admission);
  await tx.query(`INSERT INTO budgets (id, project_id, job_id, cost_cap, token_cap) VALUES ($1, $2, $3, $4, $5)`, [
    uuid(),
    admission.projectId,
    jobId,
    admission.costCapNano === null ? null : formatNanoUsd(admission.costCapNano),
    admission.tokenCap,
  ]);
  const targetIds = await storeTargets(tx, admission);
  for (const [ordinal, run] of admission.runs.entries()) {
    await insertRun(tx, { jobId, ordinal, targetId: targetIds.get(run.targetHash)! }, admission, run);
  }
  const { actor, source } = admission.origin;
  await recordAudit(tx, { projectId: admission.projectId, actor, source, action: 'job.admit', subject: jobId });
  await post(tx, 'job.admitted', jobId);
  return jobId;
}

async function insertJob(tx: Queryable, jobId: string, admission: Admission, haltEpoch: string): Promise<void> {
  const { suite } = admission;
  await tx.query(
    `INSERT INTO jobs (id, project_id, kind, submission_kind, state, origin, labels, suite_version_id, suite_name, suite_hash,
                       aggregation, generation_override, effective_seed, k, example_count, sample_count, concurrency, gate,
                       thresholds, halt_epoch, reuse_traces, source_job_id, selection, thinking_defaults)
     VALUES ($1, $2, $3::job_kind, $4, 'queued', $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
             $22, $23)`,
    [
      jobId,
      admission.projectId,
      admission.kind,
      admission.submissionKind,
      JSON.stringify(admission.origin),
      JSON.stringify(admission.labels),
      suite.versionId,
      suite.name,
      suite.hash,
      JSON.stringify(admission.aggregation),
      admission.generationOverride == null ? null : JSON.stringify(admission.generationOverride),
      admission.effectiveSeed.toString(),
      admission.k,
      suite.exampleCount,
      suite.exampleCount * admission.k * admission.runs.length,
      admission.concurrency,
      admission.gate == null ? null : JSON.stringify(admission.gate),
      JSON.stringify(admission.thresholds),
      haltEpoch,
      admission.reuseTraces,
      admission.sourceJobId,
      admission.selected === undefined ? null : JSON.stringify(admission.selected.rule),
      JSON.stringify(admission.thinkingDefaults ?? {}),
    ],
  );
}

async function insertSelection(tx: Queryable, jobId: string, { selected }: Admission): Promise<void> {
  if (selected === undefined) return;
  await tx.query(`INSERT INTO job_selection (job_id, ordinal) SELECT $1, unnest($2::int[])`, [jobId, selected.ordinals]);
}

async function insertRun(
  tx: Queryable,
  place: { jobId: string; ordinal: number; targetId: string },
  admission: Admission,
  run: AdmittedRun,
): Promise<void> {
  const { jobId, ordinal, targetId } = place;
  const runId = uuid();
  await tx.query(
    `INSERT INTO runs (id, project_id, job_id, ordinal, name, target_id, queue, effective_generation_hash,
                       sample_cost_bound, sample_token_bound, source_run_id, scorer, judging, score_queue, expectation)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      runId,
      admission.projectId,
      jobId,
      ordinal,
      run.name,
      targetId,
      run.queue,
      run.effectiveGenerationHash,
      formatNanoUsd(run.costBoundNano),
      run.tokenBound,
      run.sourceRunId,
      run.scorer && JSON.stringify(run.scorer),
      run.judging && JSON.stringify(run.judging),
      run.scoreQueue,
      run.expectation === undefined ? null : JSON.stringify(run.expectation),
    ],
  );
  await tx.query(
    `INSERT INTO shards (id, project_id, job_id, run_id, phase, block, first_ordinal, count, queue)
     SELECT id, $5, $6, $7, $9::shard_phase, block, first_ordinal, count, $8
       FROM unnest($1::uuid[], $2::int[], $3::int[], $4::int[]) AS s (id, block, first_ordinal, count)`,
    [
      run.shards.map(() => uuid()),
      run.shards.map((shard) => shard.block),
      run.shards.map((shard) => shard.firstOrdinal),
      run.shards.map((shard) => shard.count),
      admission.projectId,
      jobId,
      runId,
      run.sourceRunId === null ? run.queue : run.scoreQueue,
      run.sourceRunId === null ? 'generate' : 'score',
    ],
  );
  if (run.sourceRunId !== null && run.judging !== null) await boundScoreShards(tx, runId);
}

/** Target ids by hash. Stored in one order everywhere: two admissions with the same targets cannot wait for each other. */
async function storeTargets(tx: Queryable, admission: Admission): Promise<Map<string, string>> {
  const targets = new Map(admission.runs.map((run) => [run.targetHash, run.target]));
  const ids = new Map<string, string>();
  for (const [hash, target] of [...targets].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    // The update changes nothing; it makes the existing row come back.
    const [row] = await tx.query<{ id: string }>(
      `INSERT INTO targets (id, project_id, kind, definition, definition_hash) VALUES ($1, $2, $3::target_kind, $4, $5)
       ON CONFLICT (project_id, definition_hash) DO UPDATE SET definition_hash = EXCLUDED.definition_hash
       RETURNING id`,
      [uuid(), admission.projectId, target.kind, JSON.stringify(target), hash],
    );
    ids.set(hash, row!.id);
  }
  return ids;
}
