import { z } from 'zod';

const DECIMAL = /^(?:0|[1-9]\d{0,8})(?:\.\d{1,9})?$/;
const HOW = 'US dollars from 0 to 999999999.999999999, at most nine decimals, as a decimal string ("0.25") or a number';

/** `value` as a canonical decimal string without trailing zeros, or null when it is no amount of US dollars. */
export function parseUsd(value: unknown): string | null {
  const text = typeof value === 'number' ? plainDecimal(value) : value;
  if (typeof text !== 'string' || !DECIMAL.test(text)) return null;
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** The shortest decimal that reads back as `value`, without an exponent: 1e-7 → "0.0000001". */
function plainDecimal(value: number): string {
  const shortest = String(value);
  const small = /^(\d)(?:\.(\d+))?e-(\d+)$/.exec(shortest);
  if (!small) return shortest;
  const [, lead = '', rest = '', exponent = '0'] = small;
  return `0.${'0'.repeat(Number(exponent) - 1)}${lead}${rest}`;
}

/** An amount of US dollars: number or decimal string outside, canonical decimal string inside (never a float). */
export const Usd = z
  .codec(
    z.custom<string | number>((value) => parseUsd(value) !== null, {
      error: (issue) => (issue.input === undefined ? 'is required' : `must be ${HOW}`),
      abort: true,
    }),
    z.string(),
    { decode: (written) => parseUsd(written) ?? '0', encode: (text) => text },
  )
  .meta({ description: `An amount: ${HOW}. Always answered as a decimal string.` });
