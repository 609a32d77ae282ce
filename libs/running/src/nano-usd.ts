/**
 * Money is counted in whole nano-dollars (1e-9 USD) as bigint, and written as a decimal string of dollars.
 *
 * @param usd decimal string with at most nine decimals, such as "0.25"
 */
export function nanoUsd(usd: string): bigint {
  const [whole = '0', fraction = ''] = usd.split('.');
  return BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9) || '0');
}

/** The inverse of `nanoUsd`, without trailing zeros: 250000000n → "0.25". */
export function formatNanoUsd(nano: bigint): string {
  const sign = nano < 0n ? '-' : '';
  const size = nano < 0n ? -nano : nano;
  const fraction = (size % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '');
  return `${sign}${size / 1_000_000_000n}${fraction === '' ? '' : `.${fraction}`}`;
}
