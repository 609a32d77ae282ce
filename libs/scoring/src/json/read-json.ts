export type JsonReading =
  | { readonly kind: 'json'; readonly value: unknown; readonly source: string }
  /** No object, array or lone value anywhere; brackets never close (a cut-off answer); or what they hold is not JSON. */
  | { readonly kind: 'none'; readonly reason: 'no_json' | 'unclosed_json' | 'not_json' };

/**
 * Reads the JSON of an answer: the whole text when it is one JSON value (of any type), else the first object or array
 * whose brackets balance, so that prose and code fences around it do not matter. What comes after it is ignored.
 *
 * Linear in the length and without recursion: 100,000 opening brackets neither overflow the stack nor stall.
 * Of a repeated key the last value counts, as in JSON.parse.
 */
export function readJson(text: string): JsonReading {
  const trimmed = text.trim();
  const whole = tryParseJson(trimmed);
  if (whole) return whole;
  const start = trimmed.search(/[[{]/);
  if (start < 0) return { kind: 'none', reason: 'no_json' };
  const end = findBalancedEnd(trimmed, start);
  if (end === null) return { kind: 'none', reason: 'unclosed_json' };
  return tryParseJson(trimmed.slice(start, end)) ?? { kind: 'none', reason: 'not_json' };
}

/** A JSON value, as far as its first characters say. */
const COULD_BE_JSON = /^(?:["\-0-9]|true|false|null|\[\s*(?:["{[\-0-9\]]|true|false|null)|\{\s*["}])/;

/** The value of a text that is JSON and nothing else; null when it is not. */
export function tryParseJson(source: string): JsonReading | null {
  // Throwing is the slow path of JSON.parse, and most texts that are not JSON show it in their first characters.
  if (!COULD_BE_JSON.test(source)) return null;
  try {
    return { kind: 'json', value: JSON.parse(source), source };
  } catch {
    return null;
  }
}

/** The index behind the bracket that closes the one at `start`; brackets in strings do not count. Null when none does. */
export function findBalancedEnd(text: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      at = skipString(text, at);
    } else if (character === '{' || character === '[') {
      depth += 1;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return null;
}

/** The index of the quote that ends the string whose opening quote is at `start`; the end of the text when none does. */
export function skipString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
