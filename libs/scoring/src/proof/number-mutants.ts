import { type MutantKind } from '@kiln/contracts';
import { type Decimal, parseDecimal } from '../numbers/decimal.js';
import { foldNumerals } from '../numbers/fold-numerals.js';

export interface NumberMutant {
  readonly kind: MutantKind;
  readonly text: string;
  readonly value: Decimal;
}

/** Digits, before and behind the point together, up to which mutants are written out; longer numbers have none. */
const MAX_DIGITS = 60;
const MINUS = '\u2212';

/** A number as people write it, and nothing else: -1,234.50, also with U+2212. */
const PLAIN_NUMBER = /^[+-]?(?:[0-9]+|[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.[0-9]+)?$/;

/** The number that `text` is, apart from white space around it; null when it is anything else. */
export function readPlainNumber(text: string): Decimal | null {
  if (text.length > 200) return null;
  const folded = foldNumerals(text.trim());
  return PLAIN_NUMBER.test(folded) ? parseDecimal(folded.replaceAll(',', '')) : null;
}

/** Other ways to write the same number: U+2212 for the minus, thousands in groups, zeros behind the point. */
export function equalNumbers(value: Decimal): NumberMutant[] {
  const parts = scaled(value);
  if (parts === null) return [];
  const { whole, fraction } = written(parts);
  const mutants: NumberMutant[] = [];
  const plain = fraction === '' ? whole : `${whole}.${fraction}`;
  const sign = parts.units < 0n ? '-' : '';
  const add = (kind: MutantKind, text: string): void => void mutants.push({ kind, text, value });
  if (sign !== '') add('unicode_minus', `${MINUS}${plain}`);
  if (whole.length > 3) add('thousands_groups', `${sign}${plain.replace(whole, whole.replaceAll(/\B(?=(?:[0-9]{3})+$)/g, ','))}`);
  add('trailing_zeros', fraction === '' ? `${sign}${whole}.0` : `${sign}${plain}0`);
  return mutants;
}

/** Numbers that a sloppy reader takes for `value`. Those that equal it are left out; what tolerates the others is the caller's to know. */
export function differentNumbers(value: Decimal): NumberMutant[] {
  const parts = scaled(value);
  if (parts === null) return [];
  const { units, scale } = parts;
  const prefixed = units < 0n ? `-1${String(-units).padStart(scale + 1, '0')}` : `1${String(units).padStart(scale + 1, '0')}`;
  const changes: [MutantKind, bigint][] = [
    ['times_ten', units * 10n],
    ['sign_flip', -units],
    ['last_digit_up', units + 1n],
    ['last_digit_down', units - 1n],
    ['digit_prefix', BigInt(prefixed)],
  ];
  return changes.flatMap(([kind, changed]) => {
    if (changed === units) return [];
    const text = plainText({ units: changed, scale });
    const read = parseDecimal(text);
    return read === null ? [] : [{ kind, text, value: read }];
  });
}

interface Scaled {
  /** value = units ÷ 10^scale */
  readonly units: bigint;
  readonly scale: number;
}

function scaled({ negative, digits, exponent }: Decimal): Scaled | null {
  if (digits.length + Math.abs(exponent) > MAX_DIGITS) return null;
  const magnitude = BigInt(digits === '' ? '0' : digits) * 10n ** BigInt(Math.max(0, exponent));
  return { units: negative ? -magnitude : magnitude, scale: Math.max(0, -exponent) };
}

function written({ units, scale }: Scaled): { whole: string; fraction: string } {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  return { whole: digits.slice(0, digits.length - scale), fraction: digits.slice(digits.length - scale) };
}

function plainText(parts: Scaled): string {
  const { whole, fraction } = written(parts);
  return `${parts.units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
