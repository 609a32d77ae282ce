import { Generation, type JudgeUsage } from '@kiln/contracts';
import { type GeneratedTrace, type Generator, type SampleRequest, type SampleResult } from '@kiln/inference';
import { judgeKey, type Judging, sampleDeadlineMs } from '@kiln/running';
import { type AskJudge, type JudgeAnswer, type JudgeQuestion } from '@kiln/scoring';
import { v4 as uuid } from 'uuid';
import { errorCode } from './error-code.js';
import { type LoadedTargets } from './loaded-targets.js';

export interface JudgeParts {
  engine: Generator;
  targets: LoadedTargets;
  /** The judges of the run, frozen at its admission. */
  judging: Judging | null;
  /** No further attempt at the shard will follow. */
  last: boolean;
}

/** A judge failed in a way that may pass: the trace is left for another attempt. */
export class JudgeRetry extends Error {}

/** The port through which scorers ask judges: the same engine that generates, with the judges that were frozen at admission. */
export function createAskJudge({ engine, targets, judging, last }: JudgeParts): AskJudge {
  return async (question, signal) => {
    const target = judging?.targets[judgeKey(question.judgeModel, question.judgeAdapter)];
    if (target === undefined) return failure('judge_unknown', 'the job was admitted without this judge');
    try {
      await targets.load(target);
    } catch (error) {
      if (!last) throw error;
      return failure(errorCode(error, 'judge_unavailable'), error instanceof Error ? error.message : String(error));
    }
    const startedAt = performance.now();
    const result = await answer(engine, judgeRequest(question, target), signal);
    if (result.ok) return { ok: true, text: answerText(result.trace), usage: usageOf(result.trace, performance.now() - startedAt) };
    if (result.error.retryable && target.kind === 'model' && !last) throw new JudgeRetry(result.error.message);
    // A request that failed may have been billed: on a judge with a price its cost is unknown.
    const usage = target.pricing.kind === 'free' ? null : unknownUsage(target.pricing.kind, performance.now() - startedAt);
    return { ok: false, code: result.error.code, message: result.error.message, usage };
  };
}

function judgeRequest(question: JudgeQuestion, target: SampleRequest['target']): SampleRequest {
  return {
    id: uuid(),
    target,
    messages: [...question.messages],
    tools: null,
    generation: Generation.parse({ temperature: question.temperature, max_tokens: question.maxTokens }),
    seed: question.seed,
    deadlineMs: sampleDeadlineMs(target),
  };
}

async function answer(engine: Generator, request: SampleRequest, signal: AbortSignal): Promise<SampleResult> {
  for await (const result of engine.generate([request], signal)) return result;
  throw signal.aborted ? new DOMException('the judge was not waited for', 'AbortError') : new Error('the engine gave no result');
}

function answerText({ text, unclosedThinking }: GeneratedTrace): string | null {
  return unclosedThinking ? null : text;
}

function usageOf(trace: GeneratedTrace, durationMs: number): JudgeUsage {
  return {
    calls: 1,
    prompt_tokens: trace.promptTokens,
    cached_tokens: trace.cachedTokens,
    cache_write_tokens: trace.cacheWriteTokens,
    completion_tokens: trace.completionTokens,
    cost_usd: trace.usd,
    price_basis: trace.priceBasis,
    duration_ms: durationMs,
  };
}

function unknownUsage(priceBasis: JudgeUsage['price_basis'], durationMs: number): JudgeUsage {
  const tokens = { prompt_tokens: 0, cached_tokens: 0, cache_write_tokens: 0, completion_tokens: 0 };
  return { calls: 1, ...tokens, cost_usd: null, price_basis: priceBasis, duration_ms: durationMs };
}

function failure(code: string, message: string): JudgeAnswer {
  return { ok: false, code, message, usage: null };
}
