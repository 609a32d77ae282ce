import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** Marks the string as ours, for people and for secret scanners. */
const TOKEN_PREFIX = 'kiln_';

/** A new API key token: 32 random bytes in base64url behind `kiln_`. Shown once; only its hash is stored. */
export function createApiKeyToken(): string {
  return TOKEN_PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * SHA-256 of a token. A fast hash is right here: the token has 256 random bits, so there is nothing to guess, and the
 * look-up by digest leaks nothing about the token through its timing.
 */
export function hashApiKeyToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}
