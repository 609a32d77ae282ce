import { createHash } from 'node:crypto';
import { type Queryable } from '../database.js';

/**
 * Stores large texts by their SHA-256; one that is there already is left alone.
 *
 * @returns the digest of each, in order; null where there was no text
 */
export async function insertBlobs(tx: Queryable, texts: readonly (Uint8Array | null)[]): Promise<(Buffer | null)[]> {
  const digests = texts.map((text) => (text === null ? null : createHash('sha256').update(text).digest()));
  const blobs = texts.flatMap((text, index) => (text === null ? [] : [{ text, digest: digests[index]! }]));
  // In one order everywhere: two writes with the same texts cannot wait for each other.
  for (const { text, digest } of blobs.toSorted((a, b) => a.digest.compare(b.digest))) {
    await tx.query(`INSERT INTO blobs (digest, size, bytes) VALUES ($1, $2, $3) ON CONFLICT (digest) DO NOTHING`, [
      digest,
      text.byteLength,
      Buffer.from(text.buffer, text.byteOffset, text.byteLength),
    ]);
  }
  return digests;
}
