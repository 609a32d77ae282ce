import { skipString } from '../json/read-json.js';

/** Bracketed passages of a reply that are looked at: more are a flood, not a judgment. */
const MAX_PASSAGES = 256;

/**
 * The JSON objects and arrays in a judge's reply, outermost only, in order. Strict JSON is read as it is; what fails is read
 * once more without `//` comments and trailing commas and with line breaks inside strings escaped (C41, C42). Fences and prose
 * around do not matter. What never closes, such as a reply that was cut off, is none.
 *
 * Linear in the length, without recursion.
 */
export function findJsonDocuments(reply: string): unknown[] {
  const whole = parse(reply);
  if (whole) return [whole.value];
  const found: unknown[] = [];
  let start = nextBracket(reply, 0);
  for (let passage = 0; start >= 0 && passage < MAX_PASSAGES; passage += 1) {
    const document = relax(reply, start);
    if (document === null) break;
    const parsed = parse(reply.slice(start, document.end)) ?? parse(document.relaxed);
    if (parsed) found.push(parsed.value);
    start = nextBracket(reply, document.end);
  }
  return found;
}

function parse(source: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(source) as unknown };
  } catch {
    return null;
  }
}

function nextBracket(text: string, from: number): number {
  const bracket = /[[{]/g;
  bracket.lastIndex = from;
  return bracket.exec(text)?.index ?? -1;
}

/** Everything up to what means something: a string, a bracket, a comment, a comma. */
const PLAIN = /[^"/,[\]{}]+|\//y;
const LINE_COMMENT = /\/\/[^\n]*/y;
const TRAILING_COMMA = /,(?=\s*[\]}])/y;
const CONTROLS: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text from the bracket at `start` to the one that closes it, without what strict JSON forbids; null when none closes it. */
function relax(text: string, start: number): { relaxed: string; end: number } | null {
  const parts: string[] = [];
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === '"') {
      const end = skipString(text, at) + 1;
      parts.push(text.slice(at, end).replace(/[\n\r\t]/g, (control) => CONTROLS[control] ?? ''));
      at = end;
      continue;
    }
    if (character === '[' || character === '{') depth += 1;
    if (character === ']' || character === '}') depth -= 1;
    const dropped = lengthAt(LINE_COMMENT, text, at) || lengthAt(TRAILING_COMMA, text, at);
    const kept = dropped > 0 ? 0 : Math.max(1, lengthAt(PLAIN, text, at));
    parts.push(text.slice(at, at + kept));
    at += dropped + kept;
    if (depth === 0) return { relaxed: parts.join(''), end: at };
  }
  return null;
}

function lengthAt(sticky: RegExp, text: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0].length ?? 0;
}
