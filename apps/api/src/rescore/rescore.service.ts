import { Injectable } from '@nestjs/common';
import { KilnError, MAX_RESCORE_RUNS, nanoUsd, type RescoreRequest, type RunResponse, type Scorer } from '@kiln/contracts';
import {
  type Admission,
  type AdmittedRun,
  findRescoreSource,
  type RescoreSource,
  type RescoreSourceRun,
  selectedOrdinals,
} from '@kiln/database';
import { isTerminal, planSelectedShards, planShards } from '@kiln/running';
import { asksJudge, compileScorerCheck, isInlineScorer } from '@kiln/scoring';
import { ApiDependencies } from '../api-dependencies.js';
import { actorOf } from '../http/actor-of.js';
import { fieldRefusal } from '../http/field-refusal.js';
import { isJobId, jobNotFound } from '../jobs/job-id.js';
import { checkExamples } from './check-examples.js';
import { scorerOfRequest } from './scorer-of-request.js';
import { Admissions, type Submitted } from '../submissions/admissions.js';
import { type JudgedRun, ScoringPlanner } from '../submissions/scoring-planner.js';

/** How long scoring one trace takes, roughly: it only sizes shards. */
const SECONDS = { inline: 0.0005, judge: 0.5, code: 0.1 };

/** Freezes a rescore: which runs, which scorers, which judges; and hands it to admission. */
@Injectable()
export class RescoreService {
  constructor(
    private readonly api: ApiDependencies,
    private readonly admissions: Admissions,
    private readonly scoring: ScoringPlanner,
  ) {}

  submit(jobId: string, request: RescoreRequest, submitted: Submitted): Promise<RunResponse> {
    return this.admissions.once(submitted, async () => {
      const { caller } = submitted;
      const source = await this.#source(caller.projectId, jobId);
      const chosen = chooseRuns(source, request);
      const scorers = request.scorers.map(scorerOfRequest);
      const checks = scorers.map((scorer, index) => compileScorerCheck(scorer, `scorers[${index}].scorer`));
      const names = scorerNames(request, scorers);
      const ordinals = source.selection === null ? null : await selectedOrdinals(this.api.database, source.id);
      await checkExamples(this.api.database, source, ordinals, checks);
      const runs: AdmittedRun[] = [];
      for (const [index, { judge = request.judge }] of request.scorers.entries()) {
        const named = { scorer: scorers[index]!, name: names[index]!, judge, tokenCap: request.token_cap, ordinals };
        for (const run of chosen) runs.push(await this.#plan(caller.projectId, source, run, named));
      }
      const selected = source.selection && ordinals && { rule: source.selection, ordinals };
      const admission = { ...admissionOf(source, request), ...rescoreOf(submitted, source, runs), ...(selected && { selected }) };
      return { admission, inline: null };
    });
  }

  async #source(projectId: string, jobId: string): Promise<RescoreSource> {
    const source = isJobId(jobId) ? await findRescoreSource(this.api.database, projectId, jobId) : null;
    if (source === null) throw jobNotFound(jobId);
    if (isTerminal(source.state)) return source;
    throw new KilnError('eval_job_in_use', `the job is ${source.state}: its traces are not all there yet`, {
      hint: 'Wait until it has ended, or cancel it.',
    });
  }

  async #plan(
    projectId: string,
    source: RescoreSource,
    run: RescoreSourceRun,
    {
      scorer,
      name,
      judge,
      tokenCap,
      ordinals,
    }: { scorer: Scorer; name: string; ordinals: readonly number[] | null } & Pick<JudgedRun, 'judge' | 'tokenCap'>,
  ): Promise<AdmittedRun> {
    const inline = isInlineScorer(scorer);
    const seconds = SECONDS[inline ? 'inline' : asksJudge(scorer) ? 'judge' : 'code'];
    const plan = await this.scoring.plan(projectId, inline ? [] : [scorer], {
      evaluated: { frozen: run.target },
      judge,
      tokenCap,
    });
    return {
      name: source.runs.length === 1 ? name : `${run.name} · ${name}`,
      target: run.target,
      targetHash: run.targetHash,
      queue: run.queue,
      effectiveGenerationHash: run.effectiveGenerationHash,
      costBoundNano: 0n,
      tokenBound: 0n,
      sourceRunId: run.tracesOf,
      scorer,
      judging: plan.judging,
      scoreQueue: plan.queue ?? (await this.scoring.scoreQueue()),
      shards: ordinals ? planSelectedShards(ordinals, source.k, seconds) : planShards(source.exampleCount, source.k, seconds),
    };
  }
}

function chooseRuns(source: RescoreSource, { run_index: index, scorers }: RescoreRequest): RescoreSourceRun[] {
  const chosen = index === undefined ? source.runs : source.runs.slice(index, index + 1);
  if (chosen.length === 0) {
    throw fieldRefusal('run_index', `the job has runs 0 to ${source.runs.length - 1}`, 'Leave it out to score all runs.');
  }
  if (chosen.length * scorers.length <= MAX_RESCORE_RUNS) return chosen;
  throw fieldRefusal(
    'scorers',
    `${scorers.length} scorers × ${chosen.length} runs are ${scorers.length * chosen.length} runs; the limit is ${MAX_RESCORE_RUNS}`,
    'Send fewer scorers, or one run_index at a time.',
  );
}

/** As written, else the kind; numbered where a name comes twice. */
function scorerNames(request: RescoreRequest, scorers: readonly Scorer[]): string[] {
  const names: string[] = [];
  for (const [index, { kind }] of scorers.entries()) {
    const wanted = request.scorers[index]!.name ?? kind;
    let free = wanted;
    for (let number = 2; names.includes(free); number += 1) free = `${wanted} ${number}`;
    names.push(free);
  }
  return names;
}

/** What is the same as in the job whose traces are scored. */
function admissionOf(source: RescoreSource, request: RescoreRequest): Omit<Admission, keyof ReturnType<typeof rescoreOf>> {
  return {
    labels: request.labels ?? {},
    suite: { versionId: source.suiteVersionId, name: source.suiteName, hash: source.suiteHash, exampleCount: source.exampleCount },
    aggregation: source.aggregation,
    generationOverride: source.generationOverride,
    thinkingDefaults: source.thinkingDefaults,
    effectiveSeed: source.effectiveSeed,
    k: source.k,
    gate: null,
    thresholds: {},
    costCapNano: request.cost_cap === undefined ? null : nanoUsd(request.cost_cap),
    tokenCap: request.token_cap === undefined ? null : BigInt(request.token_cap),
    concurrency: request.concurrency ?? null,
  };
}

function rescoreOf({ caller }: Submitted, source: RescoreSource, runs: AdmittedRun[]) {
  return {
    projectId: caller.projectId,
    kind: 'rescore' as const,
    submissionKind: 'on_demand' as const,
    origin: { ...actorOf(caller) },
    runs,
    reuseTraces: false,
    sourceJobId: source.id,
  };
}
