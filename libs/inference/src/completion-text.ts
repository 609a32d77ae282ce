import { StopStrings } from './stop-strings.js';
import { THINK_CLOSE, THINK_OPEN, type ThinkingStart } from './thinking-start.js';

const OPEN = Buffer.from(THINK_OPEN);
const CLOSE = Buffer.from(THINK_CLOSE);
const TOOL_CALL = Buffer.from('<tool_call>');
const FUNCTION = Buffer.from('<function');
const EMPTY = new Uint8Array(0);
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export interface SeparatedText {
  /** Everything that was generated up to the stop string, as bytes: it need not be valid UTF-8. */
  rawBytes: Uint8Array;
  /** The answer: what follows the reasoning. Invalid UTF-8 is shown as U+FFFD. */
  text: string;
  /** What was thought, without its tags; null when there was no reasoning. */
  reasoningText: string | null;
  /** Reasoning began and never ended, so there is no answer. */
  unclosedThinking: boolean;
}

/**
 * The output of one completion as it grows: keeps the bytes, tells reasoning from answer, watches for stop strings.
 *
 * Reasoning begins in the prompt or with a `<think>` at the very start of the output, and ends with `</think>`, or with a
 * tool call of the XML kind (`<tool_call>` `<function`), which some models open without closing their reasoning first.
 * Stop strings are looked for in the answer only: a blank line in the middle of a thought ends nothing.
 */
export class CompletionText {
  readonly #stops: StopStrings;
  #buffer = Buffer.allocUnsafe(256);
  #length = 0;
  #phase: 'undecided' | 'inside' | 'outside';
  /** Begin of the reasoning, or null while there has been none. */
  #reasoningStart: number | null = null;
  #reasoningEnd = 0;
  #answerStart = 0;
  #answerPushed = 0;
  #answerLength = 0;
  /** Everything before was searched for the end of the reasoning. */
  #searched = 0;

  constructor(start: 'inside' | 'outside', stops: readonly string[]) {
    this.#phase = start === 'inside' ? 'inside' : 'undecided';
    if (start === 'inside') this.#reasoningStart = 0;
    this.#stops = new StopStrings(stops);
  }

  /** Whether the next token continues a thought. */
  get thinking(): boolean {
    return this.#phase === 'inside';
  }

  /** Whether a stop string has ended the answer. */
  get stopped(): boolean {
    return this.#stops.stopped;
  }

  /** The thought so far, without its tags. */
  get reasoning(): string {
    if (this.#reasoningStart === null) return '';
    const end = this.thinking ? this.#length : this.#reasoningEnd;
    return decoder.decode(this.#buffer.subarray(this.#reasoningStart, end));
  }

  push(bytes: Uint8Array): void {
    this.#append(bytes);
    if (this.#phase === 'undecided') this.#decideStart();
    if (this.#phase === 'inside') this.#findEndOfThinking();
    if (this.#phase === 'outside') this.#pushAnswer();
  }

  finish(): SeparatedText {
    if (this.#phase === 'undecided') this.#leaveThinking(0, 0);
    this.#answerLength += this.#phase === 'outside' ? this.#stops.flush().length : 0;
    const hadReasoning = this.#reasoningStart !== null;
    const unclosedThinking = this.#phase === 'inside';
    const rawLength = unclosedThinking ? this.#length : this.#answerStart + this.#answerLength;
    const answer = unclosedThinking ? EMPTY : this.#buffer.subarray(this.#answerStart, rawLength);
    const text = decoder.decode(answer);
    return {
      rawBytes: new Uint8Array(this.#buffer.subarray(0, rawLength)),
      text: hadReasoning ? text.replace(/^[\r\n]+/, '') : text,
      reasoningText: hadReasoning ? this.reasoning.replace(/^[\r\n]+|[\r\n]+$/g, '') : null,
      unclosedThinking,
    };
  }

  #append(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + bytes.length));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #decideStart(): void {
    let start = 0;
    while (start < this.#length && isSpace(this.#buffer[start]!)) start++;
    const head = this.#buffer.subarray(start, Math.min(this.#length, start + OPEN.length));
    if (!head.equals(OPEN.subarray(0, head.length))) {
      this.#leaveThinking(0, 0);
    } else if (head.length === OPEN.length) {
      this.#phase = 'inside';
      this.#reasoningStart = this.#searched = start + OPEN.length;
    }
  }

  #findEndOfThinking(): void {
    const written = this.#buffer.subarray(0, this.#length);
    const close = written.indexOf(CLOSE, this.#searched);
    const call = findToolCall(written, this.#searched);
    if (call.at >= 0 && (close < 0 || call.at < close)) this.#leaveThinking(call.at, call.at);
    else if (close >= 0) this.#leaveThinking(close, close + CLOSE.length);
    else this.#searched = Math.max(this.#searched, Math.min(call.searched, this.#length - CLOSE.length + 1));
  }

  #leaveThinking(reasoningEnd: number, answerStart: number): void {
    this.#phase = 'outside';
    this.#reasoningEnd = reasoningEnd;
    this.#answerStart = this.#answerPushed = answerStart;
    this.#pushAnswer();
  }

  #pushAnswer(): void {
    const fresh = this.#buffer.subarray(this.#answerPushed, this.#length);
    this.#answerPushed = this.#length;
    this.#answerLength += this.#stops.push(fresh).length;
  }
}

/** `at`: where a tool call of the XML kind begins, or -1; `searched`: nothing before can still become one. */
function findToolCall(written: Buffer, from: number): { at: number; searched: number } {
  for (let at = written.indexOf(TOOL_CALL, from); at >= 0; at = written.indexOf(TOOL_CALL, at + 1)) {
    let next = at + TOOL_CALL.length;
    while (next < written.length && isSpace(written[next]!)) next++;
    const head = written.subarray(next, Math.min(written.length, next + FUNCTION.length));
    if (head.length < FUNCTION.length && head.equals(FUNCTION.subarray(0, head.length))) return { at: -1, searched: at };
    if (head.equals(FUNCTION)) return { at, searched: at };
  }
  return { at: -1, searched: Math.max(from, written.length - TOOL_CALL.length + 1) };
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** Separates a finished text. `unknown`: a `</think>` without its opening tag means that the prompt had opened it. */
export function separateThinking(raw: string, start: ThinkingStart): SeparatedText {
  const openedInPrompt = start === 'unknown' && raw.includes(THINK_CLOSE) && !raw.trimStart().startsWith(THINK_OPEN);
  const text = new CompletionText(start === 'inside' || openedInPrompt ? 'inside' : 'outside', []);
  text.push(Buffer.from(raw));
  return text.finish();
}
