const DECIMALS = 9;
const PER_USD = 10n ** BigInt(DECIMALS);

/**
 * Money is counted in whole nano-dollars (1e-9 USD) as bigint, and written as a decimal string of dollars.
 *
 * @param usd decimal string with at most nine decimals, such as "0.25" or "-0.000000001"
 * @throws RangeError for anything else
 */
export function nanoUsd(usd: string): bigint {
  const parts = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(usd);
  if (parts === null) throw new RangeError(`not an amount of US dollars: ${usd}`);
  const [, sign, whole = '0', fraction = ''] = parts;
  const size = BigInt(whole) * PER_USD + BigInt(fraction.padEnd(DECIMALS, '0'));
  return sign === '-' ? -size : size;
}

/** The inverse of `nanoUsd`, without trailing zeros: 250000000n → "0.25". */
export function formatNanoUsd(nano: bigint): string {
  const size = nano < 0n ? -nano : nano;
  const fraction = String(size % PER_USD)
    .padStart(DECIMALS, '0')
    .replace(/0+$/, '');
  return `${nano < 0n ? '-' : ''}${size / PER_USD}${fraction === '' ? '' : `.${fraction}`}`;
}
