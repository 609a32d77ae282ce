import { Injectable } from '@nestjs/common';
import { KilnError, type RunResponse } from '@kiln/contracts';
import {
  type Admission,
  admitJob,
  findIdempotentResponse,
  findInlineSuite,
  type IdempotentRequest,
  lockAdmissions,
  type Queryable,
  storeIdempotentResponse,
  storeSuiteVersion,
  type UnfinishedJobs,
  withAdmission,
} from '@kiln/database';
import { ApiDependencies } from '../api-dependencies.js';
import { type Caller } from '../auth/caller.js';
import { type PreparedSuite } from '../suites/prepare-suite.js';
import { bodyDigest } from './body-digest.js';

/** A decided job, with the suite that has to be stored for it when that came with the request. */
export interface Decided {
  admission: Admission;
  inline: PreparedSuite | null;
}

/** A request to admit a job, as far as its repetition is concerned. */
export interface Submitted {
  caller: Caller;
  route: 'submitRun' | 'submitCompare' | 'submitRescore' | 'submitReplay' | 'submitRerun';
  idempotencyKey: string | undefined;
  /** As it was sent: its digest tells a repetition from another request. */
  sentBody: unknown;
}

const JOB_KINDS = {
  submitRun: 'eval',
  submitCompare: 'compare',
  submitRescore: 'rescore',
  submitReplay: 'replay',
  submitRerun: 'rerun',
} as const;

/** Rolls an admission back because the same request was admitted meanwhile; carries the answer that it got. */
class AlreadyAdmitted extends Error {
  constructor(readonly response: RunResponse) {
    super('the same request was admitted meanwhile');
  }
}

/** Writes decided jobs: each in one transaction, within the limits, and once per idempotency key. */
@Injectable()
export class Admissions {
  constructor(private readonly api: ApiDependencies) {}

  /**
   * Admits what `decide` decides, unless the same request was answered before: then nothing is decided, because what it named
   * may have changed since.
   */
  async once(submitted: Submitted, decide: () => Promise<Decided>): Promise<RunResponse> {
    const { metrics, database } = this.api;
    const kind = JOB_KINDS[submitted.route];
    const endTimer = metrics.admissionDuration.startTimer({ kind });
    const count = (outcome: string): void => metrics.admissionRequests.inc({ kind, outcome });
    try {
      const request = idempotentRequest(submitted);
      const answered = request && (await findIdempotentResponse(database, request));
      if (answered) {
        count('duplicate');
        return answered.response as RunResponse;
      }
      const response = await this.#admit(await decide(), request);
      count('accepted');
      endTimer();
      return response;
    } catch (error) {
      if (error instanceof AlreadyAdmitted) {
        count('duplicate');
        return error.response;
      }
      count(refusal(error));
      throw error;
    }
  }

  #admit({ admission, inline }: Decided, request: IdempotentRequest | null): Promise<RunResponse> {
    return withAdmission(this.api.database, async (tx, haltEpoch) => {
      const suite = inline ? await storeInline(tx, admission, inline) : admission.suite;
      const unfinished = await lockAdmissions(tx);
      const answered = request && (await findIdempotentResponse(tx, request));
      if (answered) throw new AlreadyAdmitted(answered.response as RunResponse);
      this.#checkRoom(unfinished);
      const jobId = await admitJob(tx, { ...admission, suite }, haltEpoch);
      const response = runResponse(jobId, admission);
      if (request) await storeIdempotentResponse(tx, request, { status: 200, response });
      return response;
    });
  }

  #checkRoom(unfinished: UnfinishedJobs): void {
    const { max_queued_jobs: maxQueued, max_tracked_jobs: maxTracked } = this.api.config().eval;
    if (unfinished.queued >= maxQueued) {
      throw new KilnError('eval_queue_full', `${unfinished.queued} jobs wait already; the limit is ${maxQueued}`, {
        hint: 'Wait for one to start, cancel one, or raise eval.max_queued_jobs.',
      });
    }
    if (unfinished.all >= maxTracked) {
      throw new KilnError('eval_tracked_full', `${unfinished.all} jobs are unfinished already; the limit is ${maxTracked}`, {
        hint: 'Wait for one to finish, cancel one, or raise eval.max_tracked_jobs.',
      });
    }
  }
}

function idempotentRequest({ caller, route, idempotencyKey, sentBody }: Submitted): IdempotentRequest | null {
  if (idempotencyKey === undefined) return null;
  return { projectId: caller.projectId, route, key: idempotencyKey, bodyDigest: bodyDigest(sentBody) };
}

async function storeInline(tx: Queryable, admission: Admission, inline: PreparedSuite): Promise<Admission['suite']> {
  const { projectId } = admission;
  const known = await findInlineSuite(tx, projectId, inline.hash);
  const version = known ?? (await storeSuiteVersion(tx, { projectId, createdBy: admission.origin.actor, ...inline }, null));
  return { ...admission.suite, versionId: version.id };
}

function runResponse(jobId: string, { suite, k, runs, effectiveSeed }: Admission): RunResponse {
  const per = [
    `${suite.exampleCount} examples`,
    ...(k > 1 ? [`${k} completions`] : []),
    ...(runs.length > 1 ? [`${runs.length} targets`] : []),
  ];
  return {
    job_id: jobId,
    state: 'queued',
    effective_seed: effectiveSeed.toString(),
    message: `queued: ${per.join(' × ')}; follow it at /v1/eval/jobs/${jobId}`,
  };
}

function refusal(error: unknown): string {
  if (!(error instanceof KilnError)) return 'failed';
  if (error.code === 'halted') return 'halted';
  return error.code === 'eval_queue_full' || error.code === 'eval_tracked_full' ? 'backpressure' : 'rejected';
}
