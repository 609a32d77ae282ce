import { describe, expect, it } from 'vitest';
import { createApiKeyToken, hashApiKeyToken } from './api-key-token.js';

describe('API key tokens', () => {
  it('carry 256 bits and differ', () => {
    const token = createApiKeyToken();
    expect(token).toMatch(/^kiln_[A-Za-z0-9_-]{43}$/);
    expect(createApiKeyToken()).not.toBe(token);
  });

  it('are hashed with SHA-256', () => {
    expect(hashApiKeyToken('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
