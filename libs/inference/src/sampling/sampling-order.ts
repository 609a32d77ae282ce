const DIGIT_BITS = 11;
const DIGITS = 2 ** DIGIT_BITS;
const TOP_SHIFT = 32 - DIGIT_BITS;

/**
 * The first token ids by (logit descending, id ascending).
 * @param count most ids; 0 = all.
 * @param least logits below it are left out, whatever `count` says.
 */
export function samplingOrder(logits: Float32Array, count: number, least: number): Uint32Array {
  const keys = descendingKeys(logits);
  const limit = Math.min(keyOf(least), lastKeyOfFirst(keys, count));
  let size = 0;
  for (let id = 0; id < keys.length; id++) if (keys[id]! <= limit) size++;
  const ids = new Uint32Array(size);
  for (let id = 0, next = 0; id < keys.length; id++) if (keys[id]! <= limit) ids[next++] = id;
  const sorted = sortByKey(ids, keys);
  return count > 0 && count < size ? sorted.subarray(0, count) : sorted;
}

/**
 * The bits of a float32 as an unsigned integer that falls as the number rises, so that logits can be sorted as integers: on a
 * vocabulary of 150,000 a comparator is many times slower.
 */
function descendingKeys(logits: Float32Array): Uint32Array {
  const keys = new Uint32Array(logits.length);
  const bits = new Uint32Array(logits.buffer, logits.byteOffset, logits.length);
  for (let id = 0; id < keys.length; id++) keys[id] = keyOfBits(bits[id]!);
  return keys;
}

function keyOf(logit: number): number {
  return keyOfBits(new Uint32Array(Float32Array.of(logit).buffer)[0]!);
}

function keyOfBits(bits: number): number {
  // -0 must tie with 0.
  if (bits === 0x8000_0000) return 0x7fff_ffff;
  return bits >>> 31 === 1 ? bits : 0x7fff_ffff - bits;
}

/** A key that at least `count` keys do not exceed, and not many more. */
function lastKeyOfFirst(keys: Uint32Array, count: number): number {
  if (count === 0 || count >= keys.length) return 0xffff_ffff;
  const counts = new Uint32Array(DIGITS);
  for (let id = 0; id < keys.length; id++) counts[keys[id]! >>> TOP_SHIFT]!++;
  let digit = 0;
  for (let seen = counts[0]!; seen < count; seen += counts[digit]!) digit++;
  return ((digit + 1) * 2 ** TOP_SHIFT - 1) >>> 0;
}

/** Radix sort, least digit first. It is stable, so that ids that tie stay ascending. */
function sortByKey(ids: Uint32Array, keys: Uint32Array): Uint32Array {
  let from = ids;
  let to: Uint32Array = new Uint32Array(ids.length);
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    const starts = new Uint32Array(DIGITS + 1);
    for (let i = 0; i < from.length; i++) starts[((keys[from[i]!]! >>> shift) & (DIGITS - 1)) + 1]!++;
    for (let digit = 1; digit < DIGITS; digit++) starts[digit]! += starts[digit - 1]!;
    for (let i = 0; i < from.length; i++) {
      const id = from[i]!;
      to[starts[(keys[id]! >>> shift) & (DIGITS - 1)]!++] = id;
    }
    [from, to] = [to, from];
  }
  return from;
}
