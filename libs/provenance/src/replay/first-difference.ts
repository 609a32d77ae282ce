/** Bytes shown on each side of the first one that differs. */
const CONTEXT_BYTES = 32;
/** Tokens shown on each side of the first one that differs. */
const CONTEXT_TOKENS = 8;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export interface ByteDifference {
  /** Offset of the first byte that differs. */
  byte: number;
  /** Null where the bytes end. */
  expected: number | null;
  actual: number | null;
  /** Text around the byte; what is cut or is no text shows as U+FFFD. */
  expectedContext: string;
  actualContext: string;
}

/** Where two byte sequences first differ, a shorter one ending being a difference; null when they are equal. */
export function firstDifference(expected: Uint8Array, actual: Uint8Array): ByteDifference | null {
  const byte = firstDifferingIndex(expected, actual);
  if (byte === null) return null;
  return {
    byte,
    expected: expected[byte] ?? null,
    actual: actual[byte] ?? null,
    expectedContext: decoder.decode(around(expected, byte, CONTEXT_BYTES)),
    actualContext: decoder.decode(around(actual, byte, CONTEXT_BYTES)),
  };
}

export interface TokenDifference {
  /** Index of the first token that differs. */
  token: number;
  /** Ids; null where the tokens end. */
  expected: number | null;
  actual: number | null;
  /** Ids around the token. */
  expectedContext: number[];
  actualContext: number[];
}

/** Where the ids of two lists of tokens first differ, a shorter one ending being a difference; null when they are equal. */
export function firstTokenDifference(expected: readonly number[], actual: readonly number[]): TokenDifference | null {
  const token = firstDifferingIndex(expected, actual);
  if (token === null) return null;
  return {
    token,
    expected: expected[token] ?? null,
    actual: actual[token] ?? null,
    expectedContext: around(expected, token, CONTEXT_TOKENS),
    actualContext: around(actual, token, CONTEXT_TOKENS),
  };
}

function firstDifferingIndex(expected: ArrayLike<number>, actual: ArrayLike<number>): number | null {
  const common = Math.min(expected.length, actual.length);
  let index = 0;
  while (index < common && expected[index] === actual[index]) index += 1;
  return index === expected.length && index === actual.length ? null : index;
}

function around<List>(list: { slice(start: number, end: number): List }, at: number, count: number): List {
  return list.slice(Math.max(0, at - count), at + count);
}
