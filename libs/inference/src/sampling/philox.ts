const MULTIPLIER_0 = 0xd2511f53;
const MULTIPLIER_1 = 0xcd9e8d57;
const WEYL_0 = 0x9e3779b9;
const WEYL_1 = 0xbb67ae85;
const ROUNDS = 10;

/** Upper 32 bits of a 32 x 32 bit product, by 16-bit halves: BigInt is thirty times slower here. */
function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const lowHigh = aLow * bHigh;
  const highLow = aHigh * bLow;
  const middle = ((aLow * bLow) >>> 16) + (lowHigh & 0xffff) + (highLow & 0xffff);
  return (aHigh * bHigh + (lowHigh >>> 16) + (highLow >>> 16) + (middle >>> 16)) >>> 0;
}

/** A 64-bit key as two unsigned 32-bit words, least significant first. */
export interface PhiloxKey {
  readonly low: number;
  readonly high: number;
}

/**
 * Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011): a counter-based
 * generator. The same counter and key always give the same 128 bits, so a draw needs no carried state and cannot depend
 * on what else is in a batch. Counter words and results are unsigned 32-bit; the result is written to `out` (length 4).
 */
export function philox4x32(counter: ArrayLike<number>, key: PhiloxKey, out: Uint32Array): void {
  let c0 = counter[0]! >>> 0;
  let c1 = counter[1]! >>> 0;
  let c2 = counter[2]! >>> 0;
  let c3 = counter[3]! >>> 0;
  let k0 = key.low >>> 0;
  let k1 = key.high >>> 0;
  for (let round = 0; round < ROUNDS; round++) {
    const high0 = multiplyHigh(MULTIPLIER_0, c0);
    const low0 = Math.imul(MULTIPLIER_0, c0) >>> 0;
    const high1 = multiplyHigh(MULTIPLIER_1, c2);
    const low1 = Math.imul(MULTIPLIER_1, c2) >>> 0;
    c0 = (high1 ^ c1 ^ k0) >>> 0;
    c1 = low1;
    c2 = (high0 ^ c3 ^ k1) >>> 0;
    c3 = low0;
    k0 = (k0 + WEYL_0) >>> 0;
    k1 = (k1 + WEYL_1) >>> 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

/** The key of a seed. `seed` is an unsigned 64-bit integer in decimal; anything else throws RangeError. */
export function philoxKey(seed: string): PhiloxKey {
  if (!/^\d{1,20}$/.test(seed)) throw new RangeError(`seed is not an unsigned decimal integer: ${seed}`);
  const value = BigInt(seed);
  if (value >= 1n << 64n) throw new RangeError(`seed does not fit 64 bits: ${seed}`);
  return { low: Number(value & 0xffff_ffffn), high: Number(value >> 32n) };
}

/** A float64 in [0, 1) with 53 random bits, from two unsigned 32-bit words. */
export function uniform53(high: number, low: number): number {
  return ((high >>> 5) * 0x400_0000 + (low >>> 6)) / 0x20_0000_0000_0000;
}
