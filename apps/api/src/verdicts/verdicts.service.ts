import { Injectable } from '@nestjs/common';
import { type GateRequest, KilnError, type Scorer, type VerdictList } from '@kiln/contracts';
import { findSuiteVersion, type FinishingJob, readFinishingJob } from '@kiln/database';
import { ReducerError } from '@kiln/outcomes';
import { canonicalJson } from '@kiln/provenance';
import { computeResults } from '@kiln/results';
import { isTerminal } from '@kiln/running';
import { ApiDependencies } from '../api-dependencies.js';
import { type Caller } from '../auth/caller.js';
import { isJobId, jobNotFound } from '../jobs/job-id.js';
import { checkScorerProof } from '../submissions/check-scorer-proof.js';
import { proveStored } from '../suites/prove-suite.js';
import { SuitesService } from '../suites/suites.service.js';

/** Jobs that this process reduces at a time: each reads all rows of its job. */
const MAX_AT_ONCE = 2;

/** Decides finished jobs again, by the policy that is asked for, and stores nothing. */
@Injectable()
export class VerdictsService {
  #deciding = 0;

  constructor(
    private readonly api: ApiDependencies,
    private readonly suites: SuitesService,
  ) {}

  async decide(caller: Caller, jobId: string, gate: GateRequest): Promise<VerdictList> {
    const job = await this.#finishedCompare(caller, jobId);
    const suite = await findSuiteVersion(this.api.database, job.suiteVersionId);
    const rescorer = scorerOfRescore(job);
    if (suite) checkScorerProof(suite, await (rescorer ? proveStored(this.api.database, suite, rescorer) : this.suites.proofOf(suite)));
    if (this.#deciding >= MAX_AT_ONCE) {
      throw new KilnError('rate_limited', `${MAX_AT_ONCE} jobs are being decided already`, {
        hint: 'Each reads all rows of its job; try again soon.',
      });
    }
    this.#deciding += 1;
    try {
      const { comparisons } = await computeResults(this.api.database, job, { state: job.state, gate });
      return { job_id: jobId, verdicts: comparisons.flatMap(({ verdict }) => (verdict === null ? [] : [verdict.verdict])) };
    } catch (error) {
      if (!(error instanceof ReducerError)) throw error;
      throw new KilnError('eval_invalid_request', `the rows of the job are inconsistent: ${error.message}`, {
        hint: 'Such a job decides nothing; run it again.',
      });
    } finally {
      this.#deciding -= 1;
    }
  }

  async #finishedCompare(caller: Caller, jobId: string): Promise<FinishingJob> {
    const job = isJobId(jobId) ? await readFinishingJob(this.api.database, jobId) : null;
    if (job?.projectId !== caller.projectId) throw jobNotFound(jobId);
    if (!isTerminal(job.state)) {
      throw new KilnError('eval_job_in_use', `the job is ${job.state}: its rows are not all there yet`, {
        hint: 'GET /v1/eval/jobs/{id}?wait=60 waits for its end.',
      });
    }
    if (job.runs.length < 2) {
      throw new KilnError('eval_invalid_request', 'the job has one target, so there is nothing to compare', {
        hint: 'Decide a job of POST /v1/eval/compare.',
      });
    }
    return job;
  }
}

/**
 * The one scorer of a rescore; null for other jobs, whose runs have the suite's.
 *
 * @throws KilnError when several scored: a candidate would be better or worse only because it was scored otherwise
 */
function scorerOfRescore({ runs: [baseline, ...candidates] }: FinishingJob): Scorer | null {
  const scorer = baseline?.scorer ?? null;
  if (candidates.every((run) => canonicalJson(run.scorer) === canonicalJson(scorer))) return scorer;
  throw new KilnError('eval_invalid_request', 'the runs of the job have different scorers, so no run is better than another', {
    hint: 'Decide a rescore of a comparison with one scorer. How often several agree is in the job’s comparisons.',
  });
}
