/**
 * mulberry32: a small seeded generator of 32-bit numbers with period 2³². Fast and reproducible; not for secrets.
 *
 * @param seed any integer; only its low 32 bits count.
 * @returns a function that gives the next unsigned 32-bit integer.
 * Source: Tommy Ettinger's public-domain mulberry32.c (2017).
 */
export function mulberry32Bits(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/**
 * The same generator as numbers in [0, 1) with 32 bits of resolution.
 *
 * @example mulberry32(1)() // 0.6270739405881613
 */
export function mulberry32(seed: number): () => number {
  const next = mulberry32Bits(seed);
  return () => next() / 4294967296;
}
