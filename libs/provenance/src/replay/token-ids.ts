const MAX_ID = 0xffff_ffff;

/**
 * Token ids as bytes: each as an unsigned LEB128 number, one after the other. A number is cut into groups of 7 bits, the lowest first;
 * each group is a byte, whose high bit says that another one follows; the last byte is not zero unless it is the only one. So there is
 * one encoding of each list, and equal bytes are equal ids. Most ids take two bytes or three, and a vocabulary of bytes one or two.
 *
 * @param ids integers from 0 to 2^32 - 1
 */
export function encodeTokenIds(ids: ArrayLike<number>): Uint8Array {
  const bytes: number[] = [];
  for (let at = 0; at < ids.length; at += 1) {
    let rest = ids[at]!;
    if (!Number.isInteger(rest) || rest < 0 || rest > MAX_ID) throw new RangeError(`${rest} is no token id: it must be from 0 to 2^32 - 1`);
    for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
    bytes.push(rest);
  }
  return Uint8Array.from(bytes);
}

/** The ids that {@link encodeTokenIds} wrote; null for bytes that it would not write. */
export function decodeTokenIds(bytes: Uint8Array): number[] | null {
  const ids: number[] = [];
  let id = 0;
  let place = 1;
  for (const byte of bytes) {
    // Not by shifts: they are of 32 bits with a sign.
    id += (byte & 0x7f) * place;
    if (!(id <= MAX_ID)) return null;
    if (byte > 0x7f) {
      place *= 0x80;
      continue;
    }
    if (byte === 0 && place > 1) return null;
    ids.push(id);
    id = 0;
    place = 1;
  }
  return place === 1 ? ids : null;
}
