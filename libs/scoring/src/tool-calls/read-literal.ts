import { exactNumber } from '../numbers/exact-number.js';
import { setMember } from '../json/set-member.js';
import { type ArgumentValue, type Arguments, MAX_ARGUMENT_DEPTH } from './argument-value.js';

export type LiteralReading =
  /** `end`: the index behind it. `lenient`: it is not strict JSON. */
  | { readonly kind: 'value'; readonly value: ArgumentValue; readonly end: number; readonly lenient: boolean }
  /** The text ends inside the value. `end`: how far it was read. */
  | { readonly kind: 'unterminated'; readonly end: number }
  /** Not a value, or nested too deeply. `end`: how far it was read. */
  | { readonly kind: 'malformed'; readonly end: number };

/**
 * Reads the JSON value at `start`, white space before it skipped; what follows it does not matter. Of a repeated key the last
 * value counts. Also read, and reported as `lenient`: Python's `True`, `False`, `None` and single quotes, a comma before a
 * closing bracket, raw line breaks and unknown escapes in strings. Linear in what it reads, and it stops at the first
 * character that no value can have there: a `<` outside strings ends it, so tags around a broken value are safe.
 */
export function readLiteral(text: string, start = 0): LiteralReading {
  const reader = new LiteralReader(text, start);
  try {
    const value = reader.value(0);
    return { kind: 'value', value, end: reader.at, lenient: reader.lenient };
  } catch (error) {
    if (error === UNTERMINATED) return { kind: 'unterminated', end: reader.at };
    if (error === MALFORMED) return { kind: 'malformed', end: reader.at };
    throw error;
  }
}

/** Reads a text that holds one value and nothing else; undefined when it does not. */
export function readWholeLiteral(text: string): { value: ArgumentValue; lenient: boolean } | undefined {
  const reading = readLiteral(text);
  return reading.kind === 'value' && text.slice(reading.end).trim() === '' ? reading : undefined;
}

// Thrown as they are: an Error would record a stack for each of the many texts that are no JSON.
const UNTERMINATED = Symbol('unterminated');
const MALFORMED = Symbol('malformed');

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// oxlint-disable-next-line no-control-regex -- what JSON forbids in strings
const PLAIN = { '"': /[^"\\\u0000-\u001f]*/y, "'": /[^'\\\u0000-\u001f]*/y };
const WORDS: readonly (readonly [string, ArgumentValue, boolean])[] = [
  ['true', true, false],
  ['false', false, false],
  ['null', null, false],
  ['True', true, true],
  ['False', false, true],
  ['None', null, true],
];
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', '/': '/' };

class LiteralReader {
  lenient = false;

  constructor(
    private readonly text: string,
    public at: number,
  ) {}

  value(depth: number): ArgumentValue {
    this.#space();
    const character = this.text[this.at];
    if (character === '{') return this.#object(depth + 1);
    if (character === '[') return this.#array(depth + 1);
    if (character === '"' || character === "'") return this.#string(character);
    if (character === undefined) throw UNTERMINATED;
    return character === '-' || (character >= '0' && character <= '9') ? this.#number() : this.#word();
  }

  #object(depth: number): Arguments {
    if (depth > MAX_ARGUMENT_DEPTH) throw MALFORMED;
    const members: Arguments = {};
    this.at += 1;
    for (let first = true; !this.#closes('}', first); first = false) {
      this.#space();
      const quote = this.text[this.at];
      if (quote === undefined) throw UNTERMINATED;
      if (quote !== '"' && quote !== "'") throw MALFORMED;
      const key = this.#string(quote);
      this.#space();
      this.#take(':');
      setMember(members, key, this.value(depth));
    }
    return members;
  }

  #array(depth: number): ArgumentValue[] {
    if (depth > MAX_ARGUMENT_DEPTH) throw MALFORMED;
    const items: ArgumentValue[] = [];
    this.at += 1;
    for (let first = true; !this.#closes(']', first); first = false) items.push(this.value(depth));
    return items;
  }

  /** Whether the container ends here; takes the comma before another element. */
  #closes(bracket: '}' | ']', first: boolean): boolean {
    this.#space();
    if (this.text[this.at] !== bracket) {
      if (first) return false;
      this.#take(',');
      this.#space();
      if (this.text[this.at] !== bracket) return false;
      this.lenient = true;
    }
    this.at += 1;
    return true;
  }

  #string(quote: '"' | "'"): string {
    if (quote === "'") this.lenient = true;
    this.at += 1;
    let value = '';
    for (;;) {
      value += this.#match(PLAIN[quote]);
      const character = this.text[this.at];
      if (character === undefined) throw UNTERMINATED;
      this.at += 1;
      if (character === quote) return value;
      if (character === '\\') {
        value += this.#escape(quote);
      } else {
        this.lenient = true;
        value += character;
      }
    }
  }

  #escape(quote: string): string {
    const character = this.text[this.at];
    if (character === undefined) throw UNTERMINATED;
    this.at += 1;
    if (character === 'u') {
      const hex = this.text.slice(this.at, this.at + 4);
      if (/^[0-9a-fA-F]{4}$/.test(hex)) {
        this.at += 4;
        return String.fromCharCode(Number.parseInt(hex, 16));
      }
      if (this.at + 4 > this.text.length) throw UNTERMINATED;
    } else if (Object.hasOwn(ESCAPES, character)) {
      return ESCAPES[character] as string;
    }
    this.lenient = true;
    // As in Python: `\d` stays two characters, a quote is escaped, a line break joins lines.
    return character === quote || character === "'" ? character : character === '\n' ? '' : `\\${character}`;
  }

  #number(): number | bigint {
    const written = this.#match(NUMBER);
    if (written === '') throw this.at + 1 >= this.text.length ? UNTERMINATED : MALFORMED;
    const value = exactNumber(written);
    if (value === undefined) throw MALFORMED;
    return value;
  }

  #word(): ArgumentValue {
    for (const [word, value, lenient] of WORDS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        this.lenient ||= lenient;
        return value;
      }
      const rest = this.text.length - this.at;
      if (rest < word.length && word.startsWith(this.text.slice(this.at))) throw UNTERMINATED;
    }
    throw MALFORMED;
  }

  #take(character: string): void {
    const found = this.text[this.at];
    if (found === undefined) throw UNTERMINATED;
    if (found !== character) throw MALFORMED;
    this.at += 1;
  }

  #space(): void {
    const code = this.text.charCodeAt(this.at);
    if (code <= 0x20) this.#match(SPACE);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }
}
