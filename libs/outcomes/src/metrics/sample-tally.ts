import { type Metrics } from '@kiln/contracts';
import { LengthTally } from './length-tally.js';

/** What metrics read of a raw outcome besides kind and score. An `error` without a trace has zeros. */
export interface SampleUsage {
  readonly prompt_tokens: number;
  readonly cached_tokens: number;
  readonly completion_tokens: number;
  /** Characters of reasoning; null when there was none. */
  readonly reasoning_chars: number | null;
  readonly unclosed_thinking: boolean;
  /** Only scorers that look at tool calls know these. */
  readonly tool_call_faults?: {
    readonly non_xml: boolean;
    readonly missing_required: boolean;
    readonly extra_unknown: boolean;
  };
}

/** Totals over raw outcomes: what was used, not how good it was. */
export class SampleTally {
  readonly #reasoning = new LengthTally();
  readonly #totals = {
    num_completions: 0,
    total_prompt_tokens: 0,
    total_cached_tokens: 0,
    total_completion_tokens: 0,
    num_unclosed_thinking: 0,
    num_non_xml_tool_calls: 0,
    num_schema_missing_required: 0,
    num_schema_extra_unknown: 0,
  };

  add(sample: SampleUsage): void {
    const totals = this.#totals;
    totals.num_completions++;
    totals.total_prompt_tokens += sample.prompt_tokens;
    totals.total_cached_tokens += sample.cached_tokens;
    totals.total_completion_tokens += sample.completion_tokens;
    if (sample.reasoning_chars !== null) this.#reasoning.add(sample.reasoning_chars);
    if (sample.unclosed_thinking) totals.num_unclosed_thinking++;
    if (sample.tool_call_faults?.non_xml) totals.num_non_xml_tool_calls++;
    if (sample.tool_call_faults?.missing_required) totals.num_schema_missing_required++;
    if (sample.tool_call_faults?.extra_unknown) totals.num_schema_extra_unknown++;
  }

  get count(): number {
    return this.#totals.num_completions;
  }

  totals(): Pick<Metrics, keyof SampleTotals | 'reasoning'> {
    return { ...this.#totals, reasoning: this.#reasoning.summary() };
  }
}

type SampleTotals = Pick<
  Metrics,
  | 'num_completions'
  | 'total_prompt_tokens'
  | 'total_cached_tokens'
  | 'total_completion_tokens'
  | 'num_unclosed_thinking'
  | 'num_non_xml_tool_calls'
  | 'num_schema_missing_required'
  | 'num_schema_extra_unknown'
>;
