import { Injectable } from '@nestjs/common';
import {
  cardinality,
  type CompareRequest,
  KilnError,
  nanoUsd,
  type RunRequest,
  type RunResponse,
  targetOfRun,
  targetsOfCompare,
  type TargetSpec,
} from '@kiln/contracts';
import { type Admission, type AdmittedRun, type SuiteVersion } from '@kiln/database';
import { seedFromBytes } from '@kiln/provenance';
import { randomBytes } from 'node:crypto';
import { ApiDependencies } from '../api-dependencies.js';
import { type Caller } from '../auth/caller.js';
import { actorOf } from '../http/actor-of.js';
import { type PreparedSuite } from '../suites/prepare-suite.js';
import { SuitesService } from '../suites/suites.service.js';
import { Admissions, type Decided, type Submitted } from './admissions.js';
import { checkScorerProof } from './check-scorer-proof.js';
import { checkSubmission } from './check-submission.js';
import { effectiveSeed } from './effective-seed.js';
import { prepareInline, unstoredVersion } from './inline-suite.js';
import { planRun } from './plan-run.js';
import { thinkingDefaults } from './thinking-defaults.js';
import { type ResolvedTarget } from './resolved-target.js';
import { ScoringPlanner } from './scoring-planner.js';
import { placeInCompare, placeInRun, type TargetPlace } from './target-place.js';
import { TargetResolver } from './target-resolver.js';

type Request = (RunRequest | CompareRequest) & { gate?: CompareRequest['gate'] };

/** Freezes what a request asks for, and hands it to admission. */
@Injectable()
export class SubmissionsService {
  constructor(
    private readonly api: ApiDependencies,
    private readonly suites: SuitesService,
    private readonly targets: TargetResolver,
    private readonly admissions: Admissions,
    private readonly scoring: ScoringPlanner,
  ) {}

  run(request: RunRequest, submitted: Submitted): Promise<RunResponse> {
    return this.admissions.once(submitted, async () => {
      const inline = request.inline_suite === undefined ? null : await prepareInline(request.inline_suite, this.suites.validatorOptions());
      const suite = inline ? unstoredVersion(inline) : await this.#registered(submitted.caller, request.suite);
      const targets = [{ spec: targetOfRun(request), place: placeInRun(request) }];
      return this.#freeze(submitted.caller, request, suite, { kind: 'eval', targets, inline });
    });
  }

  compare(request: CompareRequest, submitted: Submitted): Promise<RunResponse> {
    return this.admissions.once(submitted, async () => {
      const suite = await this.#registered(submitted.caller, request.suite);
      if (request.gate !== undefined) checkScorerProof(suite, await this.suites.proofOf(suite));
      const targets = targetsOfCompare(request).map((spec) => ({ spec, place: placeInCompare(request, spec) }));
      return this.#freeze(submitted.caller, request, suite, { kind: 'compare', targets, inline: null });
    });
  }

  async #registered(caller: Caller, name: string | undefined): Promise<SuiteVersion> {
    if (name === undefined) throw new KilnError('eval_invalid_request', 'suite: is required', { path: 'suite' });
    return this.suites.current(caller, name);
  }

  async #freeze(
    caller: Caller,
    request: Request,
    suite: SuiteVersion,
    what: { kind: 'eval' | 'compare'; targets: { spec: TargetSpec; place: TargetPlace }[]; inline: PreparedSuite | null },
  ): Promise<Decided> {
    const targets: ResolvedTarget[] = [];
    for (const { spec, place } of what.targets) targets.push(await this.targets.resolve(caller.projectId, spec, place));
    const { header } = suite;
    const k = cardinality(header.aggregation);
    const { generation, gate, token_cap: tokenCap } = request;
    checkSubmission({ suite, k, targets, generation, gate, tokenCap }, this.api.config().eval);
    const seeds = { seed: request.seed, requestGeneration: generation?.seed, suiteGeneration: header.generation.seed };
    const runs: AdmittedRun[] = [];
    for (const target of targets) {
      const scoring = await this.scoring.plan(caller.projectId, suite.executedScorers, {
        evaluated: target,
        judge: request.judge,
        tokenCap,
      });
      runs.push(planRun(target, suite, { generation: generation ?? header.generation, k, scoring }));
    }
    const admission: Admission = {
      projectId: caller.projectId,
      kind: what.kind,
      submissionKind: what.kind === 'compare' ? 'compare' : 'on_demand',
      origin: { ...actorOf(caller) },
      labels: request.labels ?? {},
      suite: { versionId: suite.id, name: header.name, hash: suite.hash, exampleCount: suite.exampleCount },
      aggregation: header.aggregation,
      generationOverride: generation ?? null,
      thinkingDefaults: thinkingDefaults(this.api.config().inference),
      effectiveSeed: effectiveSeed(seeds, () => seedFromBytes(randomBytes(8))),
      k,
      runs,
      gate: gate ?? null,
      thresholds: {},
      costCapNano: request.cost_cap === undefined ? null : nanoUsd(request.cost_cap),
      tokenCap: tokenCap === undefined ? null : BigInt(tokenCap),
      concurrency: request.concurrency ?? null,
      reuseTraces: request.reuse === 'auto',
      sourceJobId: null,
    };
    return { admission, inline: what.inline };
  }
}
