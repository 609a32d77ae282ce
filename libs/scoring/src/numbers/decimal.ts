/**
 * An exact decimal number: ± digits × 10^exponent. Normal form: `digits` has no leading and no trailing zero and is
 * empty for zero, whose sign and exponent are fixed, so that equal numbers have equal fields.
 */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const PARTS = /^([+-]?)(\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Reads `-12.5e3`, `.5`, `007`; null for anything else. No limits: callers bound the exponent and the digits. */
export function parseDecimal(text: string): Decimal | null {
  const match = PARTS.exec(text);
  if (!match) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return null;
  const written = (whole + fraction).replace(/^0+/, '');
  const digits = trimTrailingZeros(written);
  if (digits === '') return { negative: false, digits: '', exponent: 0 };
  const dropped = written.length - digits.length;
  return { negative: sign === '-', digits, exponent: Number(exponent) - fraction.length + dropped };
}

/** The shortest decimal that reads back as `value`: 0.1 is one tenth, not its binary neighbour. `value` must be finite. */
export function decimalFromNumber(value: number): Decimal {
  const decimal = Number.isFinite(value) ? parseDecimal(String(value)) : null;
  if (!decimal) throw new RangeError(`${value} is not a finite number`);
  return decimal;
}

export function isInteger(value: Decimal): boolean {
  return value.exponent >= 0;
}

export function equalDecimals(a: Decimal, b: Decimal): boolean {
  return a.negative === b.negative && a.exponent === b.exponent && a.digits === b.digits;
}

/**
 * |value − target| ≤ atol + rtol·|target|, computed exactly: no rounding on either side of the inclusive bound.
 * `atol` and `rtol` are not negative. Cost grows with the spread of the exponents, which callers bound.
 */
export function withinTolerance(value: Decimal, target: Decimal, atol: Decimal, rtol: Decimal): boolean {
  const slack: Decimal = { negative: false, digits: multiply(rtol, target), exponent: rtol.exponent + target.exponent };
  const scale = Math.min(value.exponent, target.exponent, atol.exponent, slack.exponent);
  const difference = scaled(value, scale) - scaled(target, scale);
  const bound = scaled(atol, scale) + scaled(slack, scale);
  return (difference < 0n ? -difference : difference) <= bound;
}

/** Digits of |a|·|b|. */
function multiply(a: Decimal, b: Decimal): string {
  return a.digits === '' || b.digits === '' ? '' : (BigInt(a.digits) * BigInt(b.digits)).toString();
}

function scaled(value: Decimal, scale: number): bigint {
  if (value.digits === '') return 0n;
  const magnitude = BigInt(value.digits) * 10n ** BigInt(value.exponent - scale);
  return value.negative ? -magnitude : magnitude;
}

/** A loop, because `/0+$/` on "000…01" is quadratic. */
function trimTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
