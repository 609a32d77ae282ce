import { type Decimal } from './decimal.js';

/** Whether `value` is a whole number of times `divisor`, computed exactly. Nothing but 0 is a multiple of 0. */
export function isMultipleOf(value: Decimal, divisor: Decimal): boolean {
  if (value.digits === '') return true;
  if (divisor.digits === '') return false;
  const scale = Math.min(value.exponent, divisor.exponent);
  return whole(value, scale) % whole(divisor, scale) === 0n;
}

function whole({ digits, exponent }: Decimal, scale: number): bigint {
  return BigInt(digits) * 10n ** BigInt(exponent - scale);
}
