import { createHash } from 'node:crypto';

const DOMAIN = Buffer.from('kiln.eval-seed.v1\0', 'ascii');
const U64_MAX = 2n ** 64n - 1n;

/**
 * The seed of one completion, derived and never drawn, so that any worker gives the same one:
 *
 *   first 8 bytes, as u64 LE, of SHA-256( "kiln.eval-seed.v1" ‖ 0x00 ‖ base u64 LE ‖ byte length of id u64 LE ‖ id UTF-8
 *   ‖ completion index u64 LE )
 *
 * Little-endian throughout (dataset splits are big-endian). The length is of bytes, not of characters.
 *
 * @param base the example's own generation seed when set, else the job's effective seed; 0 to 2^64−1.
 * @param completionIndex 0-based.
 * @returns a seed from 0 to 2^64−1.
 * @throws RangeError for a base or an index out of range, TypeError for an id with half a surrogate pair, which would
 *   share its bytes with other ids.
 * Source: contracts §1.3.
 * @example deriveSeed(42n, 'example-7', 3) // 1961911680962343893n
 */
export function deriveSeed(base: bigint, exampleId: string, completionIndex: number): bigint {
  if (base < 0n || base > U64_MAX) throw new RangeError(`a base seed is from 0 to 2^64-1, got ${base}`);
  if (!Number.isSafeInteger(completionIndex) || completionIndex < 0) {
    throw new RangeError(`a completion index is an integer >= 0, got ${completionIndex}`);
  }
  if (!exampleId.isWellFormed()) throw new TypeError('an example id with half a surrogate pair has no UTF-8 form');
  const id = Buffer.from(exampleId, 'utf8');
  const input = Buffer.alloc(DOMAIN.length + 24 + id.length);
  DOMAIN.copy(input, 0);
  let offset = input.writeBigUInt64LE(base, DOMAIN.length);
  offset = input.writeBigUInt64LE(BigInt(id.length), offset);
  offset += id.copy(input, offset);
  input.writeBigUInt64LE(BigInt(completionIndex), offset);
  return createHash('sha256').update(input).digest().readBigUInt64LE(0);
}
