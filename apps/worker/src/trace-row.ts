import { type TraceRow } from '@kiln/database';
import { type GeneratedTrace } from '@kiln/inference';
import { nanoUsd } from '@kiln/running';
import { v7 as uuid } from 'uuid';

/** A generated trace as it is stored. */
export function traceRow(trace: GeneratedTrace, provenanceId: number | null): TraceRow {
  return {
    id: uuid(),
    raw: trace.rawBytes,
    answerStart: trace.answer.start,
    answerEnd: trace.answer.end,
    reasoningStart: trace.reasoning?.start ?? null,
    reasoningEnd: trace.reasoning?.end ?? null,
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
