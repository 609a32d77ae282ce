import { createHash } from 'node:crypto';

/**
 * SHA-256 as 64 lowercase hex characters, without a prefix. Text is hashed as UTF-8.
 *
 * @example sha256Hex('') // 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
 */
export function sha256Hex(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}
