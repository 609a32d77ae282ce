import { nanoUsd, type ThinkingBudgetOutcome } from '@kiln/contracts';
import { type TraceRow } from '@kiln/database';
import { type GeneratedTrace } from '@kiln/inference';
import { encodeTokenIds } from '@kiln/provenance';
import { findFirstTextRange, findTextRange, type TextRange } from './text-range.js';

/**
 * A generated trace as it is stored: its tokens, its bytes once, and where answer and reasoning lie in them.
 *
 * @param id of the new row
 * @param reuseKey null when no other job may use it
 * @throws Error when the trace contradicts itself
 */
export function traceRow(id: string, trace: GeneratedTrace, provenanceId: number | null, reuseKey: Uint8Array | null = null): TraceRow {
  const { answer, reasoning } = locate(trace);
  return {
    id,
    reuseKey,
    raw: trace.rawBytes,
    tokenIds: storedTokenIds(trace),
    answerStart: answer.start,
    answerEnd: answer.end,
    reasoningStart: reasoning?.start ?? null,
    reasoningEnd: reasoning?.end ?? null,
    reasoningChars: trace.reasoningText?.length ?? null,
    unclosedThinking: trace.unclosedThinking,
    thinking: saysSomething(trace.thinkingBudget) ? trace.thinkingBudget : null,
    steps: steps(trace, reasoning !== null),
    rounds: 1,
    stopReason: trace.stopReason,
    promptTokens: trace.promptTokens,
    cachedTokens: trace.cachedTokens,
    cacheWriteTokens: trace.cacheWriteTokens,
    completionTokens: trace.completionTokens,
    latencyMs: trace.latencyMs,
    costNano: trace.usd === null ? null : nanoUsd(trace.usd),
    priceBasis: trace.priceBasis,
    provenanceId,
  };
}

/** @throws Error when there are not as many as the completion is counted at: then one of the two is wrong, and both are evidence */
function storedTokenIds({ tokenIds, completionTokens }: GeneratedTrace): Uint8Array | null {
  if (tokenIds === null) return null;
  if (tokenIds.length !== completionTokens) {
    throw new Error(`the engine counts ${completionTokens} tokens of a completion, and names ${tokenIds.length}`);
  }
  return encodeTokenIds(tokenIds);
}

/** The usual outcome, no limit and no reasoning, is stored as nothing. */
function saysSomething({ applied, triggered, closed }: ThinkingBudgetOutcome): boolean {
  return applied || triggered || closed !== undefined;
}

/**
 * Where answer and reasoning lie. The reasoning stands before the answer, so it is looked for from the front: an empty one, or one that the
 * answer ends with, would else be found behind it. An endpoint may send its reasoning apart from the content: it is then no part of the bytes.
 */
function locate({ rawBytes, text, reasoningText }: GeneratedTrace): { answer: TextRange; reasoning: TextRange | null } {
  const reasoning = reasoningText === null ? null : findFirstTextRange(rawBytes, reasoningText);
  const answer = findTextRange(rawBytes, text, reasoning?.end ?? 0) ?? findTextRange(rawBytes, text);
  if (answer === null) throw new Error('the answer is not a part of the raw output that it was read from');
  return { answer, reasoning: reasoning !== null && reasoning.end <= answer.start ? reasoning : null };
}

/** The steps of a trace that is more than one text; null for the usual one. */
function steps(trace: GeneratedTrace, reasoningInBytes: boolean): unknown[] | null {
  const reasoning = reasoningInBytes ? null : trace.reasoningText;
  if (trace.toolCalls === null && reasoning === null) return null;
  return [{ round: 0, role: 'assistant', reasoning, tool_calls: trace.toolCalls }];
}
