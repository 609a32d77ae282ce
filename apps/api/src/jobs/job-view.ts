import { type Coverage, formatNanoUsd, type Job, type JobSummary, nanoUsd, type RunView, type Spend } from '@kiln/contracts';
import { type JobDetail, type JobRow, type RunRow, type UsageRow } from '@kiln/database';
import { plainUsd } from './plain-usd.js';
import { progressView } from './progress-view.js';

/** A job as a list shows it. */
export function jobSummary(job: JobRow): JobSummary {
  return {
    id: job.id,
    kind: job.kind,
    submission_kind: job.submissionKind,
    state: job.state,
    stop_reason: job.stopReason,
    origin: { actor: job.origin.actor, source: job.origin.source },
    labels: job.labels,
    suite: {
      name: job.suiteName,
      hash: job.suiteHash,
      schema_version: job.schemaVersion,
      num_examples: job.exampleCount,
      scorer_waiver: job.scorerWaiver,
    },
    effective_seed: job.effectiveSeed,
    progress: progressView(job.progress, { ...job, runCount: job.targets.length }),
    created_at: job.submittedAt.toISOString(),
    started_at: job.startedAt?.toISOString() ?? null,
    finished_at: job.finishedAt?.toISOString() ?? null,
    targets: job.targets,
  };
}

/** A job with its runs and verdicts. */
export function jobView({ job, budget, runs, verdicts }: JobDetail): Job {
  const { targets: _, ...summary } = jobSummary(job);
  const self = `/v1/eval/jobs/${job.id}`;
  return {
    ...summary,
    error: job.error,
    generation: job.generationOverride,
    aggregation: job.aggregation,
    gate: job.gate,
    source_job_id: job.sourceJobId,
    selection: job.selection,
    replay_verdict: job.replayVerdict,
    reuse: job.reuseTraces ? 'auto' : 'never',
    cost_cap: budget.costCap === null ? null : plainUsd(budget.costCap),
    token_cap: budget.tokenCap === null ? null : Number(budget.tokenCap),
    concurrency: job.concurrency,
    spend: spend(
      runs.map((run) => run.usage),
      { cost: budget.costReserved, tokens: budget.tokensReserved },
    ),
    runs: runs.map((run) => runView(run, job)),
    verdicts,
    links: {
      self,
      outcomes: `${self}/outcomes`,
      aggregated_outcomes: `${self}/aggregated_outcomes`,
      comparison: `${self}/comparison`,
      export: `${self}/export`,
      events: `${self}/events`,
    },
  };
}

function runView(run: RunRow, job: JobRow): RunView {
  return {
    index: run.index,
    name: run.name,
    suite_name: job.suiteName,
    target: run.target,
    target_hash: run.targetHash,
    adapter: run.target.kind === 'model' ? run.target.adapter : null,
    scorer: run.scorer,
    judges: Object.values(run.judging?.targets ?? {}),
    aggregation: job.aggregation,
    metrics: run.metrics,
    replay: run.replay,
    samples_completed: run.recorded,
    samples_total: job.exampleCount * job.k,
    coverage: run.metrics?.coverage ?? coverageSoFar(run.recorded, job),
    spend: spend([run.usage], { cost: run.reservedCost, tokens: run.reservedTokens }),
    suite_hash: job.suiteHash,
    effective_generation_hash: run.effectiveGenerationHash,
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
  };
}

/** While a run goes on: as many examples as its samples could make. */
function coverageSoFar(recorded: number, { k, exampleCount }: JobRow): Coverage {
  const complete = Math.floor(recorded / k);
  return { complete_examples: complete, total_examples: exampleCount, fraction: complete / exampleCount };
}

/** Sums exactly: money is decimal strings outside and whole nano-dollars inside. */
function spend(usages: readonly UsageRow[], reserved: { cost: string; tokens: string }): Spend {
  const sum = (pick: (usage: UsageRow) => string): string =>
    formatNanoUsd(usages.reduce((total, usage) => total + nanoUsd(pick(usage)), 0n));
  const known = sum((usage) => usage.knownCost);
  return {
    usd: usages.some((usage) => usage.unpriced) ? null : known,
    known_usd: known,
    tokens: usages.reduce((total, usage) => total + Number(usage.tokens), 0),
    lost_usd: sum((usage) => usage.lostCost),
    lost_tokens: usages.reduce((total, usage) => total + Number(usage.lostTokens), 0),
    reserved_usd: plainUsd(reserved.cost),
    reserved_tokens: Number(reserved.tokens),
    excess_usd: sum((usage) => usage.excessCost),
  };
}
