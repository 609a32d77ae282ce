import { type RawOutcome, type ReducedOutcome } from '@kiln/contracts';
import { type OutcomeRow, type ReducedOutcomeRow, type RunResults, type TraceColumns } from '@kiln/database';
import { deriveSeed } from '@kiln/provenance';
import { traceTexts } from '@kiln/scoring';
import { baseSeed } from '@kiln/suites';
import { plainUsd } from './plain-usd.js';
import { thinkingBudgetRecord } from './thinking-budget-record.js';

const strictDecoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** A completion as the API answers it. Texts are decoded here: only bytes are stored. */
export function rawOutcome(row: OutcomeRow, run: RunResults): RawOutcome {
  const base = baseSeed({ generation: row.exampleGeneration }, run.effectiveSeed);
  return {
    example_id: row.exampleKey,
    completion_index: row.completionIndex,
    generation_seed: deriveSeed(base, row.exampleKey, row.completionIndex).toString(),
    ...(row.trace === null ? nothingGenerated(run.free) : generated(row.trace)),
    thinking_budget: row.trace?.thinking ? thinkingBudgetRecord(row.trace.thinking, row.exampleGeneration, run) : null,
    kind: row.kind,
    score: row.score,
    detail: row.errorCode === null ? row.detail : { code: row.errorCode, message: row.errorMessage },
    tags: row.tags,
    metadata: row.metadata,
  };
}

type Generated = Omit<
  RawOutcome,
  'example_id' | 'completion_index' | 'generation_seed' | 'thinking_budget' | 'kind' | 'score' | 'detail' | 'tags' | 'metadata'
>;

/** A sample that was not measured. On a target with a price its cost is unknown and not 0: a failed attempt may have been billed. */
function nothingGenerated(free: boolean): Generated {
  return { ...NOTHING_GENERATED, ...(free ? ({ cost_usd: '0', price_basis: 'free' } as const) : {}) };
}

const NOTHING_GENERATED: Generated = {
  completion_text: '',
  raw_completion_text: '',
  text_changed: false,
  prompt_tokens: 0,
  cached_tokens: 0,
  completion_tokens: 0,
  latency_ms: 0,
  stop_reason: null,
  cost_usd: null,
  price_basis: 'unknown',
  reasoning_text: null,
  unclosed_thinking: false,
  tool_calls: null,
};

function generated(trace: TraceColumns): Generated {
  const { text, rawText, reasoningText, toolCalls } = traceTexts(trace);
  return {
    completion_text: text,
    raw_completion_text: rawText,
    text_changed: !isText(trace.raw),
    prompt_tokens: trace.promptTokens,
    cached_tokens: trace.cachedTokens,
    completion_tokens: trace.completionTokens,
    latency_ms: trace.latencyMs,
    stop_reason: trace.stopReason,
    cost_usd: trace.cost === null ? null : plainUsd(trace.cost),
    price_basis: trace.priceBasis,
    reasoning_text: reasoningText,
    unclosed_thinking: trace.unclosedThinking,
    tool_calls: toolCalls === null ? null : [...toolCalls],
  };
}

function isText(bytes: Uint8Array): boolean {
  try {
    strictDecoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The one record of an example as the API answers it. */
export function reducedOutcome(row: ReducedOutcomeRow, k: number): ReducedOutcome {
  return {
    example_id: row.exampleKey,
    kind: row.kind,
    score: row.score,
    completion_indices: Array.from({ length: k }, (_, index) => index),
    representative_completion_index: row.representative,
    num_pass: row.numPass,
    num_fail: row.numFail,
    num_invalid: row.numInvalid,
    num_error: row.numError,
    num_skipped: row.numSkipped,
    tags: row.tags,
    metadata: row.metadata,
  };
}
