import { Injectable } from '@nestjs/common';
import { type CancelResponse, type Job, type JobList, type JobState } from '@kiln/contracts';
import { cancelJob, findJob, findJobState, listJobs, purgeJob } from '@kiln/database';
import { isTerminal } from '@kiln/running';
import { ApiDependencies } from '../api-dependencies.js';
import { requireScope } from '../auth/authenticate.js';
import { type Caller } from '../auth/caller.js';
import { actorOf } from '../http/actor-of.js';
import { CURSOR_PART, decodeCursor } from '../http/cursor.js';
import { Draining } from '../http/draining.js';
import { type QueryOf } from '../http/operation.js';
import { pageOf } from '../http/page.js';
import { isJobId, jobNotFound } from './job-id.js';
import { jobSummary, jobView } from './job-view.js';
import { JobWatch } from './job-watch.js';
import { waitForEnd } from './wait-for-end.js';

@Injectable()
export class JobsService {
  constructor(
    private readonly api: ApiDependencies,
    private readonly watch: JobWatch,
    private readonly draining: Draining,
  ) {}

  async list(caller: Caller, query: QueryOf<'listJobs'>): Promise<JobList> {
    const [submittedAtMicros, id] = decodeCursor(query.cursor, [CURSOR_PART.micros, CURSOR_PART.uuid]) ?? [];
    const after = submittedAtMicros === undefined || id === undefined ? null : { submittedAtMicros, id };
    const rows = await listJobs(this.api.database, {
      projectId: caller.projectId,
      states: query.state ?? null,
      kinds: query.kind ?? null,
      suiteName: query.suite ?? null,
      labels: Object.fromEntries((query.label ?? []).map(({ key, value }) => [key, value])),
      after,
      limit: query.limit + 1,
    });
    const { shown, next_cursor } = pageOf(rows, query.limit, (job) => [job.submittedAtMicros, job.id]);
    return { jobs: shown.map(jobSummary), next_cursor };
  }

  /** @param closed aborts when the client has gone */
  async get(caller: Caller, jobId: string, waitSeconds: number, closed: AbortSignal): Promise<Job> {
    const state = await this.state(caller, jobId);
    if (waitSeconds > 0 && !isTerminal(state)) {
      await waitForEnd(this.watch, jobId, waitSeconds * 1000, AbortSignal.any([closed, this.draining.signal]));
    }
    const detail = await findJob(this.api.database, caller.projectId, jobId);
    if (!detail) throw jobNotFound(jobId);
    return jobView(detail);
  }

  async cancel(caller: Caller, jobId: string, purge: boolean): Promise<CancelResponse> {
    if (!isJobId(jobId)) throw jobNotFound(jobId);
    return purge ? this.#purge(caller, jobId) : this.#cancel(caller, jobId);
  }

  /** @throws KilnError `eval_job_not_found` */
  async state(caller: Caller, jobId: string): Promise<JobState> {
    const state = isJobId(jobId) ? await findJobState(this.api.database, caller.projectId, jobId) : null;
    if (state === null) throw jobNotFound(jobId);
    return state;
  }

  async #cancel(caller: Caller, jobId: string): Promise<CancelResponse> {
    const result = await cancelJob(this.api.database, caller.projectId, jobId, actorOf(caller));
    if (!result.found) throw jobNotFound(jobId);
    const { state } = result;
    if (result.was === 'terminal') {
      const note = 'The job had ended already; nothing was changed. purge=true removes a finished job.';
      return { job_id: jobId, status: 'unchanged', state, was_in_queue: false, note };
    }
    if (result.was === 'queued') {
      return { job_id: jobId, status: 'cancelled', state, was_in_queue: true, note: 'Nothing of it had started.' };
    }
    const note = 'Samples in flight are being stopped; what is recorded stays readable.';
    return { job_id: jobId, status: 'cancelling', state, was_in_queue: false, note };
  }

  async #purge(caller: Caller, jobId: string): Promise<CancelResponse> {
    requireScope(caller, 'ops');
    const purged = await purgeJob(this.api.database, caller.projectId, jobId, actorOf(caller));
    if (!purged) throw jobNotFound(jobId);
    return { job_id: jobId, status: 'purged', state: null, was_in_queue: false, note: 'The job and its rows are removed.' };
  }
}
