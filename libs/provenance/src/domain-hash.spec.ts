import { describe, expect, it } from 'vitest';
import { domainHash } from './domain-hash.js';
import { inputDigest } from './input-digest.js';
import { sha256Hex } from './sha256.js';

describe('domainHash', () => {
  // Golden values from Python's hashlib over the envelope of contracts §1.11.
  it.each([
    ['kiln.eval-suite.v1', 'sha256:159a745ef6c436e6b34f2b48a1d220d6e22fdc0829192545cf61de418fceb9d8'],
    ['kiln.eval-scorer.v1', 'sha256:a863ea919d188a58791d4a353779d72d9ab10fbe547abab68a768479cf8c1864'],
  ])('is the envelope under %s, with the length in bytes', (domain, digest) => {
    expect(domainHash(domain, Object.freeze({ b: 1, a: Object.freeze([1, 'é']) }))).toBe(digest);
  });

  it('refuses a domain that could run into the length', () => {
    expect(() => domainHash('kiln\0', {})).toThrow(RangeError);
    expect(() => domainHash('', {})).toThrow(RangeError);
  });
});

describe('sha256Hex', () => {
  it('hashes text as UTF-8', () => {
    expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(sha256Hex('é')).toBe(sha256Hex(Uint8Array.of(0xc3, 0xa9)));
  });
});

describe('inputDigest', () => {
  it('does not see the 13th digit, and sees the 12th', () => {
    expect(inputDigest({ p: 0.1 + 0.2 })).toBe(inputDigest({ p: 0.3 }));
    expect(inputDigest({ p: 0.300000000001 })).not.toBe(inputDigest({ p: 0.3 }));
  });
});
