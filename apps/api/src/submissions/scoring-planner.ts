import { Injectable } from '@nestjs/common';
import { childScorers, type FrozenTarget, KilnError, type Scorer, type TargetSpec } from '@kiln/contracts';
import { livePools, servedQueues } from '@kiln/database';
import { promptTokenBound } from '@kiln/inference';
import { judgeKey, type Judging, queueName, SANDBOX_IDENTITY, SCORE_IDENTITY } from '@kiln/running';
import { asksJudge, judgeQuestionBound, runsCode } from '@kiln/scoring';
import { ApiDependencies } from '../api-dependencies.js';
import { fieldRefusal } from '../http/field-refusal.js';
import { type ResolvedTarget } from './resolved-target.js';
import { TargetResolver } from './target-resolver.js';

/** How the traces of a run are scored in shards of their own. */
export interface ScoringPlan {
  /** Null when no judge is asked. */
  judging: Judging | null;
  /** Queue of the workers that can score; null when every scorer works beside generation. */
  queue: string | null;
}

/** Whose answers are scored, and who judges where a scorer names no model. */
export interface JudgedRun {
  evaluated: Pick<ResolvedTarget, 'frozen'>;
  judge: TargetSpec | undefined;
  tokenCap: number | undefined;
}

interface NamedJudge {
  model: string | null;
  adapter: string | null;
}

/** Roles and delimiters of a chat template around a judge's two messages. */
const TEMPLATE_TOKENS = promptTokenBound(
  [
    { role: 'system', content: '' },
    { role: 'user', content: '' },
  ],
  null,
);

/** Finds judges and sandboxes for scorers, and refuses a job that could not be scored. */
@Injectable()
export class ScoringPlanner {
  constructor(
    private readonly api: ApiDependencies,
    private readonly targets: TargetResolver,
  ) {}

  /**
   * @param executed the scorers that ask a judge or run code
   * @throws KilnError when a judge does not exist or is not served, when judges need different workers, or when no worker has a sandbox
   */
  async plan(projectId: string, executed: readonly Scorer[], run: JudgedRun): Promise<ScoringPlan> {
    if (executed.length === 0) return { judging: null, queue: null };
    const sandbox = executed.some(runsCode) ? await this.#anyWorkerQueue(SANDBOX_IDENTITY) : null;
    if (executed.some(runsCode) && sandbox === null) throw noSandbox();
    if (!executed.some(asksJudge)) return { judging: null, queue: sandbox };
    const judges = await this.#judges(projectId, executed, run);
    requirePriceOrCap(judges, run.tokenCap);
    return { judging: judgingOf(executed, judges), queue: onlyQueue(judges) };
  }

  /** The queue for shards that only read traces. */
  async scoreQueue(): Promise<string> {
    return (await this.#anyWorkerQueue(SCORE_IDENTITY)) ?? queueName(this.api.config().worker.pool, SCORE_IDENTITY);
  }

  async #anyWorkerQueue(identity: string): Promise<string | null> {
    const { database } = this.api;
    const queues = (await livePools(database)).map((pool) => queueName(pool, identity));
    return (await servedQueues(database, queues))[0] ?? null;
  }

  async #judges(projectId: string, executed: readonly Scorer[], run: JudgedRun): Promise<Map<string, ResolvedTarget>> {
    const judges = new Map<string, ResolvedTarget>();
    for (const { model, adapter } of executed.flatMap(judgesNamed)) {
      const key = judgeKey(model, adapter);
      if (judges.has(key)) continue;
      const spec = judgeSpec({ model, adapter }, run);
      const named = model === null ? 'judge.model' : 'judge_model';
      judges.set(
        key,
        await this.targets.resolve(projectId, spec, {
          kind: 'judge',
          model: named,
          adapter: 'judge.adapter',
          apiKeyEnv: 'judge.api_key_env',
        }),
      );
    }
    return judges;
  }
}

/** The judges that a scorer and its children name. */
function judgesNamed(scorer: Scorer): NamedJudge[] {
  const own = 'judge_model' in scorer ? [{ model: scorer.judge_model, adapter: scorer.judge_adapter }] : [];
  return [...own, ...childScorers(scorer).flatMap(judgesNamed)];
}

/** A named model before the job's judge before the model that is evaluated; the scorer's adapter on it, or the base model. */
function judgeSpec({ model, adapter }: NamedJudge, { evaluated, judge }: JudgedRun): TargetSpec {
  if (model !== null) return { kind: 'model', model, adapter: adapter ?? '' };
  if (judge?.kind === 'model') return { ...judge, adapter: adapter ?? judge.adapter ?? '' };
  if (judge !== undefined) {
    if (adapter === null) return judge;
    throw fieldRefusal(
      'judge',
      `the scorer asks for the adapter "${adapter}", which only a local model can have`,
      'Name a judge of kind "model".',
    );
  }
  const { frozen } = evaluated;
  if (frozen.kind === 'model') return { kind: 'model', model: frozen.model, adapter: adapter ?? '' };
  throw fieldRefusal(
    'judge',
    'is needed: the suite asks a judge, names none, and the target is an endpoint',
    'Send "judge": a target such as {"kind": "model", "model": "…"}, or name judge_model in the scorer.',
  );
}

function judgingOf(executed: readonly Scorer[], judges: ReadonlyMap<string, ResolvedTarget>): Judging {
  const at = (traceBytes: number, exampleBytes: number) =>
    executed.map((scorer) => judgeQuestionBound(scorer, { traceBytes, exampleBytes }));
  const empty = at(0, 0);
  const factor = (more: typeof empty): number => Math.max(...more.map((bound, index) => bound.promptBytes - empty[index]!.promptBytes));
  const targets: Record<string, FrozenTarget> = {};
  for (const [key, { frozen }] of [...judges].toSorted(([a], [b]) => (a < b ? -1 : 1))) targets[key] = frozen;
  return {
    targets,
    calls: Math.max(...empty.map(({ calls }) => calls)),
    overheadTokens: TEMPLATE_TOKENS + Math.max(...empty.map(({ promptBytes }) => promptBytes)),
    traceFactor: factor(at(1, 0)),
    exampleFactor: factor(at(0, 1)),
    maxTokens: Math.max(...empty.map(({ maxTokens }) => maxTokens)),
  };
}

/** What judging costs must be known, or bounded by tokens: unknown is never 0. */
function requirePriceOrCap(judges: ReadonlyMap<string, ResolvedTarget>, tokenCap: number | undefined): void {
  const unpriced = [...judges.values()].find(({ frozen }) => frozen.pricing.kind === 'unknown');
  if (!unpriced || tokenCap !== undefined) return;
  throw fieldRefusal(
    'token_cap',
    `is needed, because the price of the judge "${unpriced.name}" is unknown`,
    'Set token_cap, or state the pricing of the judge.',
  );
}

function onlyQueue(judges: ReadonlyMap<string, ResolvedTarget>): string {
  const [first, ...others] = [...judges.values()];
  const other = others.find(({ queue }) => queue !== first!.queue);
  if (other === undefined) return first!.queue;
  throw fieldRefusal(
    'judge',
    `the judges "${first!.name}" and "${other.name}" are served by different workers, and one shard is scored by one worker`,
    'Use one judge model (with any adapters) per job; score with the other one by a rescore.',
  );
}

function noSandbox(): KilnError {
  return new KilnError('eval_registry_unavailable', 'the suite runs code to score answers, and no worker has a sandbox', {
    hint: 'Install bubblewrap where a worker runs; its log says what is missing. An operator may allow code without a sandbox (sandbox.mode).',
  });
}
