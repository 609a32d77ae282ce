import { type Arguments } from './argument-value.js';

/** The form in which a call was written, as it is recorded (contracts.md §1.8). */
export type ToolCallFormat = 'qwen3_xml' | 'json_inline' | 'open_ai' | 'fenced';

/**
 * The same in more detail: `hermes` is JSON between `<tool_call>` tags, `llama` JSON behind `<|python_tag|>`, `llama_function`
 * `<function=name>{…}</function>`, `json` the whole text, `inline` JSON amid prose, `endpoint` what a server had parsed.
 */
export type ToolCallShape = 'qwen3_xml' | 'hermes' | 'llama' | 'llama_function' | 'json' | 'inline' | 'fenced' | 'endpoint';

export interface ToolCall {
  readonly name: string;
  readonly arguments: Arguments;
  readonly format: ToolCallFormat;
  readonly shape: ToolCallShape;
  /** It was read in spite of a flaw: a missing tag, Python instead of JSON, stray quotes. */
  readonly repaired: boolean;
  /** The arguments look like JSON and are none; they stand, as text, under `args`. */
  readonly undecoded: boolean;
}

export interface ToolCallReading {
  /** In the order of the text. */
  readonly calls: readonly ToolCall[];
  /** Calls that begin and cannot be read: cut off, or broken. The others are not affected. */
  readonly incomplete: number;
  /** The text says, as JSON, that there is no call: `{"tool_calls":[]}`. */
  readonly statesNone: boolean;
}

export const NO_CALLS: ToolCallReading = { calls: [], incomplete: 0, statesNone: false };
