import { Injectable, StreamableFile } from '@nestjs/common';
import { KilnError, nanoUsd, type ReplayExpectation, type ReplayRequest, type RunResponse } from '@kiln/contracts';
import {
  type Admission,
  findAdapter,
  findModel,
  findModelFiles,
  findRepeatableJob,
  type RepeatableJob,
  selectedOrdinals,
  type ServedModel,
  servedQueues,
} from '@kiln/database';
import { currentInputs, replayRecordText } from '@kiln/results';
import { planSelectedShards, planShards } from '@kiln/running';
import { Readable } from 'node:stream';
import { ApiDependencies } from '../api-dependencies.js';
import { type Caller } from '../auth/caller.js';
import { actorOf } from '../http/actor-of.js';
import { isJobId, jobNotFound } from '../jobs/job-id.js';
import { Admissions, type Submitted } from '../submissions/admissions.js';
import { expectedSampleSeconds } from '../submissions/sample-seconds.js';
import { checkReplayable, type CurrentWorld, requireStrictRun, type StrictRun } from './check-replayable.js';

/** Answers replay records, and admits replays of runs that can be repeated byte for byte. */
@Injectable()
export class ReplayService {
  constructor(
    private readonly api: ApiDependencies,
    private readonly admissions: Admissions,
  ) {}

  submit(jobId: string, { run_index: runIndex }: ReplayRequest, submitted: Submitted): Promise<RunResponse> {
    return this.admissions.once(submitted, async () => {
      const job = await this.#job(submitted.caller, jobId);
      const run = requireStrictRun(job, runIndex);
      const queue = await this.#check(job, run);
      return { admission: await this.#admission(job, { ...run, queue }, submitted), inline: null };
    });
  }

  async record(caller: Caller, jobId: string, runIndex: number): Promise<StreamableFile> {
    const job = await this.#job(caller, jobId);
    const run = job.runs[runIndex];
    if (run === undefined) {
      throw new KilnError('eval_invalid_request', `run_index: is ${runIndex}, but the job has ${job.runs.length} runs`, {
        path: 'run_index',
        hint: `Use 0 to ${job.runs.length - 1}.`,
      });
    }
    const { replayRecord } = run;
    if (replayRecord === null) {
      throw new KilnError('eval_invalid_request', 'the run has no replay record', {
        hint: 'A record is written when a job is completed. A rescore has none: replay the job whose traces it scores.',
      });
    }
    const text = Readable.from(replayRecordText(this.api.database, job, { ...run, replayRecord }), { objectMode: false });
    return new StreamableFile(text, { type: 'application/jsonl', disposition: `attachment; filename="${jobId}-${runIndex}.replay.jsonl"` });
  }

  async #job({ projectId }: Caller, jobId: string): Promise<RepeatableJob> {
    const job = isJobId(jobId) ? await findRepeatableJob(this.api.database, projectId, jobId) : null;
    if (job === null) throw jobNotFound(jobId);
    return job;
  }

  /** @returns the queue on which its model is served now */
  async #check(job: RepeatableJob, run: StrictRun): Promise<string> {
    const { database } = this.api;
    const { target } = run;
    const files = await findModelFiles(database, target);
    const named = await findModel(database, job.projectId, target.model);
    checkReplayable(job, run, {
      inputs: await currentInputs(database, job, run),
      files,
      published: named === null || named.workers === 0 ? null : digestsOf(named),
      adapterDigest:
        files === null || target.adapter === null ? null : ((await findAdapter(database, files.id, target.adapter))?.digest ?? null),
    });
    if (run.scoreQueue === null || (await servedQueues(database, [run.scoreQueue])).length > 0) return files!.queue;
    throw new KilnError('eval_invalid_request', 'judges: no worker can score the answers just now, as the run was scored', {
      hint: 'Start a worker that serves its judges, or one that has a sandbox.',
    });
  }

  async #admission(job: RepeatableJob, run: StrictRun, { caller }: Submitted): Promise<Admission> {
    const ordinals = job.selection === null ? null : await selectedOrdinals(this.api.database, job.id);
    const seconds = expectedSampleSeconds(run.target, (job.generationOverride ?? job.suiteHeader.generation).max_tokens);
    return {
      projectId: job.projectId,
      kind: 'replay',
      submissionKind: 'on_demand',
      origin: { ...actorOf(caller) },
      labels: {},
      suite: { versionId: job.suiteVersionId, name: job.suiteName, hash: job.suiteHash, exampleCount: job.exampleCount },
      ...(ordinals && job.selection ? { selected: { rule: job.selection, ordinals } } : {}),
      aggregation: job.aggregation,
      generationOverride: job.generationOverride,
      thinkingDefaults: job.thinkingDefaults,
      effectiveSeed: job.effectiveSeed,
      k: job.k,
      runs: [
        {
          name: run.name,
          target: run.target,
          targetHash: run.targetHash,
          queue: run.queue,
          effectiveGenerationHash: run.effectiveGenerationHash,
          costBoundNano: nanoUsd(run.costBound),
          tokenBound: BigInt(run.tokenBound),
          sourceRunId: null,
          scorer: run.scorer,
          judging: run.judging,
          scoreQueue: run.scoreQueue,
          shards: ordinals ? planSelectedShards(ordinals, job.k, seconds) : planShards(job.exampleCount, job.k, seconds),
          expectation: expectationOf(job, run),
        },
      ],
      gate: null,
      thresholds: {},
      costCapNano: job.costCap === null ? null : nanoUsd(job.costCap),
      tokenCap: job.tokenCap === null ? null : BigInt(job.tokenCap),
      concurrency: job.concurrency,
      reuseTraces: false,
      sourceJobId: job.id,
    };
  }
}

function digestsOf({ modelDigest, tokenizerDigest, templateDigest }: ServedModel): CurrentWorld['published'] {
  return { model_digest: modelDigest, tokenizer_digest: tokenizerDigest, template_digest: templateDigest };
}

function expectationOf(job: RepeatableJob, { id, index, replayRecord: record }: StrictRun): ReplayExpectation {
  return {
    type: 'kiln.eval-replay-expectation.v1',
    schema_version: 1,
    source_job_id: job.id,
    source_run_id: id,
    source_run_index: index,
    record_sha256: record.record_sha256,
    raw_completion_set_sha256: record.raw_completion_set_sha256,
    execution_provenance_sha256: record.execution_provenance_sha256!,
    base_weight_manifest_sha256: record.base_weight_manifest_sha256!,
  };
}
