/** Bytes shown on each side of the first one that differs. */
const CONTEXT_BYTES = 32;

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
  const common = Math.min(expected.byteLength, actual.byteLength);
  let byte = 0;
  while (byte < common && expected[byte] === actual[byte]) byte += 1;
  if (byte === expected.byteLength && byte === actual.byteLength) return null;
  return {
    byte,
    expected: expected[byte] ?? null,
    actual: actual[byte] ?? null,
    expectedContext: around(expected, byte),
    actualContext: around(actual, byte),
  };
}

function around(bytes: Uint8Array, at: number): string {
  return decoder.decode(bytes.subarray(Math.max(0, at - CONTEXT_BYTES), at + CONTEXT_BYTES));
}
