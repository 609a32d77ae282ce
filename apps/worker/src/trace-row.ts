import { type TraceRow } from '@kiln/database';
import { type GeneratedTrace } from '@kiln/inference';
import { nanoUsd } from '@kiln/running';
import { v7 as uuid } from 'uuid';
import { findTextRange } from './text-range.js';

/** A generated trace as it is stored: the bytes once, and where answer and reasoning lie in them. */
export function traceRow(trace: GeneratedTrace, provenanceId: number | null): TraceRow {
  const { raw, answer, reasoning } = locate(trace);
  return {
    id: uuid(),
    raw,
    answerStart: answer.start,
    answerEnd: answer.end,
    reasoningStart: reasoning?.start ?? null,
    reasoningEnd: reasoning?.end ?? null,
    reasoningChars: trace.reasoningText?.length ?? null,
    unclosedThinking: trace.unclosedThinking,
    thinking: trace.thinkingBudget,
    steps: trace.toolCalls === null ? null : [{ round: 0, role: 'assistant', tool_calls: trace.toolCalls }],
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

/** Texts that are not a part of the raw output (an endpoint may send reasoning apart) are stored behind it. */
function locate({ rawBytes, text, reasoningText }: GeneratedTrace) {
  const reasoning = reasoningText === null ? null : findTextRange(rawBytes, reasoningText);
  const answer = findTextRange(rawBytes, text, reasoning?.end ?? 0);
  if (answer !== null && (reasoning !== null || reasoningText === null)) return { raw: rawBytes, answer, reasoning };
  const answerBytes = Buffer.from(text);
  const reasoningBytes = Buffer.from(reasoningText ?? '');
  const start = rawBytes.length;
  const middle = start + reasoningBytes.length;
  return {
    raw: Buffer.concat([rawBytes, reasoningBytes, answerBytes]),
    answer: { start: middle, end: middle + answerBytes.length },
    reasoning: reasoningText === null ? null : { start, end: middle },
  };
}
