import { Injectable } from '@nestjs/common';
import {
  type FrozenTarget,
  KilnError,
  nanoUsd,
  type OutcomeKind,
  type RerunRequest,
  type RunResponse,
  type TargetSpec,
} from '@kiln/contracts';
import {
  type Admission,
  type AdmittedRun,
  findRepeatableJob,
  findSuiteVersion,
  ordinalsByOutcome,
  type RepeatableJob,
  type RepeatableRun,
} from '@kiln/database';
import { isTerminal, judgeKey, planSelectedShards } from '@kiln/running';
import { ApiDependencies } from '../api-dependencies.js';
import { actorOf } from '../http/actor-of.js';
import { isJobId, jobNotFound } from '../jobs/job-id.js';
import { Admissions, type Submitted } from '../submissions/admissions.js';
import { checkSubmission } from '../submissions/check-submission.js';
import { planRun } from '../submissions/plan-run.js';
import { expectedSampleSeconds } from '../submissions/sample-seconds.js';
import { ScoringPlanner } from '../submissions/scoring-planner.js';
import { TargetResolver } from '../submissions/target-resolver.js';
import { type TargetPlace } from '../submissions/target-place.js';

/** Freezes a rerun: the examples of a finished job that came to certain outcomes, on its targets as they are now. */
@Injectable()
export class RerunService {
  constructor(
    private readonly api: ApiDependencies,
    private readonly admissions: Admissions,
    private readonly targets: TargetResolver,
    private readonly scoring: ScoringPlanner,
  ) {}

  submit(jobId: string, request: RerunRequest, submitted: Submitted): Promise<RunResponse> {
    return this.admissions.once(submitted, async () => {
      const source = await this.#source(submitted.caller.projectId, jobId);
      const kinds: OutcomeKind[] = [...new Set([...request.outcome_kinds, ...(request.include_pass ? (['pass'] as const) : [])])];
      const ordinals = await ordinalsByOutcome(this.api.database, source.id, kinds);
      if (ordinals.length === 0) throw nothingSelected(kinds);
      const runs = await this.#runs(source, request, ordinals);
      return { admission: admissionOf(source, request, submitted, { kinds, ordinals, runs }), inline: null };
    });
  }

  async #source(projectId: string, jobId: string): Promise<RepeatableJob> {
    const source = isJobId(jobId) ? await findRepeatableJob(this.api.database, projectId, jobId) : null;
    if (source === null) throw jobNotFound(jobId);
    if (!isTerminal(source.state)) {
      throw new KilnError('eval_job_in_use', `the job is ${source.state}: its outcomes are not all there yet`, {
        hint: 'Wait until it has ended, or cancel it.',
      });
    }
    if (source.kind !== 'rescore') return source;
    throw refused('id', 'the job is a rescore, which generates nothing', 'Rerun the job whose traces it scores.');
  }

  async #runs(source: RepeatableJob, request: RerunRequest, ordinals: readonly number[]): Promise<AdmittedRun[]> {
    const version = await findSuiteVersion(this.api.database, source.suiteVersionId);
    // A job keeps its version.
    const suite = { ...version!, exampleCount: ordinals.length };
    const chosen = chosenRuns(source, request);
    const targets = await Promise.all(chosen.map(({ spec }) => this.targets.resolve(source.projectId, spec, PLACE)));
    const { token_cap: tokenCap } = request;
    checkSubmission({ suite, k: source.k, targets, generation: undefined, gate: undefined, tokenCap }, this.api.config().eval);
    const generation = source.generationOverride ?? source.suiteHeader.generation;
    const runs: AdmittedRun[] = [];
    for (const [index, target] of targets.entries()) {
      const judged = { evaluated: target, judge: judgeOf(chosen[index]!.run), tokenCap };
      const scoring = await this.scoring.plan(source.projectId, suite.executedScorers, judged);
      const shards = planSelectedShards(ordinals, source.k, expectedSampleSeconds(target.frozen, generation.max_tokens));
      runs.push({ ...planRun(target, suite, { generation, k: source.k, scoring }), shards });
    }
    return runs;
  }
}

/** The targets were written in another request: messages name them by what they are. */
const PLACE: TargetPlace = { kind: 'target', model: 'model', adapter: 'adapter', apiKeyEnv: 'target.api_key_env' };

/** What to run, each with the run of the source whose scoring it takes over. */
function chosenRuns({ runs }: RepeatableJob, { adapter }: RerunRequest): { run: RepeatableRun; spec: TargetSpec }[] {
  if (adapter === undefined) return runs.map((run) => ({ run, spec: { ...specOf(run.target), name: run.name } }));
  const run = runs[0]!;
  if (run.target.kind === 'model') {
    return [{ run, spec: { kind: 'model', model: run.target.model, adapter, pricing: run.target.pricing } }];
  }
  throw refused('adapter', 'the job’s first target is an endpoint, which has no adapters', 'Leave it out to run the targets of the job.');
}

/** A frozen target as one would write it today: names, not digests. */
function specOf(target: FrozenTarget): TargetSpec {
  if (target.kind === 'model') {
    return { kind: 'model', model: target.model, adapter: target.adapter ?? '', pricing: target.pricing };
  }
  const { api_key_env: key, revision, ...fields } = target;
  return { ...fields, ...(key === null ? {} : { api_key_env: key }), ...(revision === null ? {} : { revision }) };
}

/** Who judges where a scorer names no model, as it is now. */
function judgeOf({ judging }: RepeatableRun): TargetSpec | undefined {
  const frozen = judging?.targets[judgeKey(null, null)];
  return frozen && specOf(frozen);
}

function admissionOf(
  source: RepeatableJob,
  request: RerunRequest,
  { caller }: Submitted,
  { kinds, ordinals, runs }: { kinds: OutcomeKind[]; ordinals: number[]; runs: AdmittedRun[] },
): Admission {
  const kind = runs.length === 1 ? 'eval' : 'compare';
  return {
    projectId: source.projectId,
    kind,
    submissionKind: kind === 'compare' ? 'compare' : 'on_demand',
    origin: { ...actorOf(caller) },
    labels: request.labels ?? {},
    suite: { versionId: source.suiteVersionId, name: source.suiteName, hash: source.suiteHash, exampleCount: ordinals.length },
    selected: { rule: { source_job_id: source.id, outcome_kinds: kinds, num_examples: ordinals.length }, ordinals },
    aggregation: source.aggregation,
    generationOverride: source.generationOverride,
    thinkingDefaults: source.thinkingDefaults,
    effectiveSeed: request.seed ?? source.effectiveSeed,
    k: source.k,
    runs,
    // The examples were chosen by what they came to: no verdict may rest on them.
    gate: null,
    thresholds: {},
    costCapNano: request.cost_cap === undefined ? null : nanoUsd(request.cost_cap),
    tokenCap: request.token_cap === undefined ? null : BigInt(request.token_cap),
    concurrency: request.concurrency ?? null,
    // The answers that failed are stored under the same keys: reusing them would repeat nothing.
    reuseTraces: false,
    sourceJobId: source.id,
  };
}

function nothingSelected(kinds: readonly OutcomeKind[]): KilnError {
  return refused(
    'outcome_kinds',
    `no example of the job came to ${kinds.length === 0 ? 'any of no kinds' : kinds.join(', ')}`,
    'Name other kinds, or send include_pass to run all examples again.',
  );
}

function refused(path: string, message: string, hint: string): KilnError {
  return new KilnError('eval_invalid_request', `${path}: ${message}`, { path, hint });
}
