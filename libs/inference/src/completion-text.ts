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
  /** Everything before was searched for the closing tag. */
  #closeSearched = 0;
  readonly #call = new ToolCallSearch();
  /** White space before the first visible byte, while nothing is decided. */
  #leadingSpace = 0;

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
      reasoningText: hadReasoning ? trimLineBreaks(withoutOpening(this.reasoning)) : null,
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
    while (this.#leadingSpace < this.#length && isSpace(this.#buffer[this.#leadingSpace]!)) this.#leadingSpace++;
    const start = this.#leadingSpace;
    const head = this.#buffer.subarray(start, Math.min(this.#length, start + OPEN.length));
    if (!head.equals(OPEN.subarray(0, head.length))) {
      this.#leaveThinking(0, 0);
    } else if (head.length === OPEN.length) {
      this.#phase = 'inside';
      this.#reasoningStart = this.#closeSearched = start + OPEN.length;
    }
  }

  #findEndOfThinking(): void {
    const written = this.#buffer.subarray(0, this.#length);
    const close = written.indexOf(CLOSE, this.#closeSearched);
    const call = this.#call.find(written, this.#reasoningStart ?? 0);
    if (call >= 0 && (close < 0 || call < close)) this.#leaveThinking(call, call);
    else if (close >= 0) this.#leaveThinking(close, close + CLOSE.length);
    else this.#closeSearched = Math.max(this.#closeSearched, this.#length - CLOSE.length + 1);
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

/**
 * Where a tool call of the XML kind begins in a text that grows. It looks at each byte once, also when a model writes white space
 * behind the tag for ever.
 */
class ToolCallSearch {
  #searched = 0;
  /** A tag that may still become a call, and how far the white space behind it was read. */
  #tag = -1;
  #behind = 0;

  /** Its index, or -1 while there is none. @param from where to begin; the same in all calls */
  find(written: Buffer, from: number): number {
    for (;;) {
      if (this.#tag < 0) {
        this.#tag = written.indexOf(TOOL_CALL, Math.max(from, this.#searched));
        if (this.#tag < 0) {
          this.#searched = Math.max(this.#searched, written.length - TOOL_CALL.length + 1);
          return -1;
        }
        this.#behind = this.#tag + TOOL_CALL.length;
      }
      while (this.#behind < written.length && isSpace(written[this.#behind]!)) this.#behind++;
      const head = written.subarray(this.#behind, this.#behind + FUNCTION.length);
      if (head.equals(FUNCTION)) return this.#tag;
      if (head.equals(FUNCTION.subarray(0, head.length))) return -1;
      this.#searched = this.#tag + 1;
      this.#tag = -1;
    }
  }
}

/** Some models open the reasoning again that their prompt has opened. */
function withoutOpening(reasoning: string): string {
  const trimmed = reasoning.trimStart();
  return trimmed.startsWith(THINK_OPEN) ? trimmed.slice(THINK_OPEN.length) : reasoning;
}

/** A loop, because a pattern that ends with `$` takes quadratic time on a thought of line breaks. */
function trimLineBreaks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isLineBreak(text[start])) start++;
  while (end > start && isLineBreak(text[end - 1])) end--;
  return text.slice(start, end);
}

function isLineBreak(character: string | undefined): boolean {
  return character === '\n' || character === '\r';
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/**
 * Separates a finished text. `unknown`: a `</think>` without an opening tag before it means that the prompt had opened it; a text
 * that mentions both tags in order is an answer about them.
 */
export function separateThinking(raw: string, start: ThinkingStart): SeparatedText {
  const text = new CompletionText(start === 'inside' || (start === 'unknown' && closesFirst(raw)) ? 'inside' : 'outside', []);
  text.push(Buffer.from(raw));
  return text.finish();
}

function closesFirst(raw: string): boolean {
  const close = raw.indexOf(THINK_CLOSE);
  const open = raw.indexOf(THINK_OPEN);
  return close >= 0 && (open < 0 || close < open);
}
