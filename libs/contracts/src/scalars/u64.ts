import { z } from 'zod';

export const U64_MAX = 2n ** 64n - 1n;

const DECIMAL = /^\d+$/;
const HOW = 'a whole number from 0 to 18446744073709551615 (2^64-1), written as a decimal string, or as a number up to 9007199254740991';

/**
 * Reads an unsigned 64-bit integer: a decimal string of digits, or a number that JavaScript holds exactly.
 * Returns null for anything else: larger numbers would already have been rounded by the JSON parser.
 */
export function parseU64(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;
  if (typeof value !== 'string' || value.length > 64 || !DECIMAL.test(value)) return null;
  const integer = BigInt(value);
  return integer <= U64_MAX ? integer : null;
}

function refusal(value: unknown): string {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return 'is a number too large for JSON to hold exactly; write it as a decimal string';
  }
  if (typeof value === 'string' && DECIMAL.test(value)) return 'is above 18446744073709551615 (2^64-1), the largest seed';
  return `must be ${HOW}`;
}

const Written = z.custom<string | number>((value) => parseU64(value) !== null, {
  error: (issue) => (issue.input === undefined ? 'is required' : refusal(issue.input)),
  abort: true,
});

/** u64 of a request: number or decimal string outside, `bigint` inside, decimal string when encoded again. */
export const U64 = z
  .codec(Written, z.bigint().min(0n).max(U64_MAX), {
    decode: (written) => parseU64(written) ?? 0n,
    encode: (integer) => integer.toString(),
  })
  .meta({ description: `An unsigned 64-bit integer: ${HOW}. Always answered as a decimal string.` });

/**
 * u64 of a document that is stored, hashed and sent to child processes as JSON: number or decimal string outside,
 * canonical decimal string inside (no leading zeros), so that equal seeds give equal bytes. `BigInt(text)` computes with it.
 */
export const U64Text = z
  .codec(Written, z.string(), {
    decode: (written) => (parseU64(written) ?? 0n).toString(),
    encode: (text) => text,
  })
  .meta({ description: `An unsigned 64-bit integer: ${HOW}. Always answered as a decimal string.` });
