import { findScores, type Lease, loadShard, loadUnscored, recordScores, retryTransient, type ScoredTrace } from '@kiln/database';
import { EngineCrashed } from '@kiln/inference';
import { MAX_STARTS } from '@kiln/running';
import { compileExecutedScorer, type ExecutedScorer, traceTexts } from '@kiln/scoring';
import { effectiveScorer, effectiveTools, promptMessages } from '@kiln/suites';
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { createAskJudge, JudgeRetry } from './ask-judge.js';
import { type Attempt, type Failure, GIVE_UP_MESSAGES, type GiveUpReason } from './attempt.js';
import { forEachConcurrently } from './for-each-concurrently.js';
import { type AbortReason } from './lease-keeper.js';
import { OutcomeWriter } from './outcome-writer.js';
import { endedSample, executedSample, failedScore, inlineSample, storedSample } from './record-score.js';
import { scoringUsage } from './sample-usage.js';
import { scoreInline, scoringInput } from './score-inline.js';
import { type ShardTools } from './shard-tools.js';
import { type UnscoredTrace } from './unscored-trace.js';

/** Traces of a shard that are judged, or run in sandboxes, at a time. The engine and the sandbox have limits of their own. */
const CONCURRENT = 32;
/** Traces that are scored inline before other work of the process gets a turn: some milliseconds. */
const TURN = 128;

/**
 * Starts an attempt at a shard in phase `score`: finds the traces that have no outcome, and scores them. A trace that was scored by
 * the same scorer before, for whichever run, keeps that score and asks nobody again.
 */
export async function startScoring(tools: ShardTools, lease: Lease, held: AbortSignal): Promise<Attempt> {
  const patiently = <T>(read: () => Promise<T>): Promise<T> =>
    retryTransient(read, tools.retryMs, (error) => tools.metrics.databaseRetried(error));
  const [header, examples, unscored] = await Promise.all([
    tools.headers.get(lease.suiteVersionId),
    patiently(() => loadShard(tools.db, lease)),
    patiently(() => loadUnscored(tools.db, lease)),
  ]);
  const byOrdinal = new Map(examples.map((example) => [example.ordinal, example]));
  const traces: UnscoredTrace[] = [];
  for (const sample of unscored) {
    const { example, key } = byOrdinal.get(sample.ordinal)!;
    const scorer = await tools.scorers.get(lease.scorer ?? effectiveScorer(header, example), lease.judging);
    const request = { messages: promptMessages(header, example), tools: effectiveTools(header, example) };
    traces.push({ sample, key, scorer, expected: example, request });
  }
  const known = await patiently(() =>
    findScores(
      tools.db,
      traces.flatMap(({ sample }) => sample.trace?.id ?? []),
      [...new Set(traces.map(({ scorer }) => scorer.id))],
    ),
  );
  const writeFailed = new AbortController();
  const writer = new OutcomeWriter<ScoredTrace>(tools.db, lease, {
    missing: traces.length,
    record: recordScores,
    usageOf: scoringUsage,
    priceBasis: priceBasisOf(lease),
    retryMs: tools.retryMs,
    metrics: tools.metrics,
    onFailure: () => writeFailed.abort('lost' satisfies AbortReason),
  });
  const scores = new Map(known.map((score) => [`${score.traceId} ${score.scorerId}`, score]));
  const open: UnscoredTrace[] = [];
  for (const trace of traces) {
    const score = scores.get(`${trace.sample.trace?.id} ${trace.scorer.id}`);
    if (trace.sample.trace === null) writer.add(endedSample(trace));
    else if (score) writer.add(storedSample(trace, score));
    else open.push(trace);
  }
  return new ScoringAttempt(tools, lease, { open: new Set(open), writer, signal: AbortSignal.any([held, writeFailed.signal]) });
}

/** The ledger has one basis per write: of judges that differ, one that is not free. */
function priceBasisOf({ judging }: Lease): string {
  const bases = Object.values(judging?.targets ?? {}).map(({ pricing }) => pricing.kind);
  return bases.find((basis) => basis !== 'free') ?? 'free';
}

interface Parts {
  open: Set<UnscoredTrace>;
  writer: OutcomeWriter<ScoredTrace>;
  signal: AbortSignal;
}

class ScoringAttempt implements Attempt {
  readonly signal: AbortSignal;
  underWay = 0;
  readonly #executed = new Map<number, ExecutedScorer>();

  constructor(
    private readonly tools: ShardTools,
    private readonly lease: Lease,
    private readonly parts: Parts,
  ) {
    this.signal = parts.signal;
  }

  async run(): Promise<Failure> {
    await this.#scoreInline();
    // What throws stops the others too: they are left for the next attempt.
    const stop = new AbortController();
    const signal = AbortSignal.any([this.signal, stop.signal]);
    let retry = false;
    try {
      await forEachConcurrently([...this.parts.open], CONCURRENT, signal, async (trace) => {
        try {
          const ids = { caseId: trace.key, runId: this.lease.runId };
          const input = { ...scoringInput(trace, traceTexts(trace.sample.trace!)), ids };
          const score = await this.#executedScorer(trace)(input, signal);
          if (score.usage) this.tools.metrics.judged(score.usage);
          this.#store(trace, executedSample(trace, score));
        } catch (error) {
          if (error instanceof JudgeRetry) {
            retry = true;
            return;
          }
          this.underWay += 1;
          throw error;
        }
      });
    } catch (error) {
      stop.abort();
      if (this.signal.aborted) return null;
      if (error instanceof EngineCrashed) return 'crashed';
      throw error;
    }
    return retry ? 'retry' : null;
  }

  giveUp(reason: GiveUpReason): void {
    for (const trace of this.parts.open) this.#store(trace, failedScore(trace, reason, GIVE_UP_MESSAGES[reason]));
  }

  finish(): Promise<boolean> {
    return this.parts.writer.finish();
  }

  async #scoreInline(): Promise<void> {
    let scored = 0;
    for (const trace of this.parts.open) {
      if (trace.scorer.inline === null) continue;
      if (this.signal.aborted) return;
      if (++scored % TURN === 0) await setImmediate();
      this.#store(
        trace,
        inlineSample(
          trace,
          scoreInline(trace, trace.scorer, () => traceTexts(trace.sample.trace!)),
        ),
      );
    }
  }

  #executedScorer({ scorer }: UnscoredTrace): ExecutedScorer {
    let execute = this.#executed.get(scorer.id);
    if (execute === undefined) {
      const { engine, targets, runConfined } = this.tools;
      const askJudge = createAskJudge({ engine, targets, judging: this.lease.judging, last: this.lease.starts >= MAX_STARTS });
      execute = compileExecutedScorer(scorer.scorer, { askJudge, runConfined, randomToken: () => randomBytes(16).toString('hex') });
      this.#executed.set(scorer.id, execute);
    }
    return execute;
  }

  #store(trace: UnscoredTrace, scored: ScoredTrace): void {
    this.parts.open.delete(trace);
    this.parts.writer.add(scored);
  }
}
