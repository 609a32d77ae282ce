import { decimalFromNumber, equalDecimals, isInteger, parseDecimal } from './decimal.js';

const MAX_DIGITS = 4096;

/**
 * The number that JSON text states: an integer that a 64-bit float would change is a bigint, so that two ids of 19 digits never
 * look alike. Undefined for what is neither (1e9999).
 */
export function exactNumber(written: string): number | bigint | undefined {
  const value = Number(written);
  if (written.length < 16 && Number.isFinite(value)) return value;
  const decimal = parseDecimal(written);
  if (!decimal) return undefined;
  if (!isInteger(decimal)) return Number.isFinite(value) ? value : undefined;
  if (Number.isFinite(value) && equalDecimals(decimal, decimalFromNumber(value))) return value;
  if (decimal.digits.length + decimal.exponent > MAX_DIGITS) return undefined;
  const magnitude = BigInt(decimal.digits) * 10n ** BigInt(decimal.exponent);
  return decimal.negative ? -magnitude : magnitude;
}
