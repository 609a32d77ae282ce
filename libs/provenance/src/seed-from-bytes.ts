/**
 * A seed from eight bytes of entropy (u64 little-endian). The caller draws them; nothing here is random.
 *
 * @returns 0 to 2^64−1.
 * @throws RangeError unless there are exactly eight bytes: fewer would quietly halve the space.
 */
export function seedFromBytes(bytes: Uint8Array): bigint {
  if (bytes.length !== 8) throw new RangeError(`a seed needs exactly 8 bytes, got ${bytes.length}`);
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true);
}
