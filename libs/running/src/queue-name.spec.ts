import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { poolOf, queueName } from './queue-name.js';

describe('queueName', () => {
  it('is the same for the same pool and identity, and keeps to what queue backends take', () => {
    fc.assert(
      fc.property(fc.constantFrom('cpu', 'cuda', 'a-1'), fc.string({ unit: 'binary' }), (pool, identity) => {
        const name = queueName(pool, identity);
        expect(name).toBe(queueName(pool, identity));
        expect(name).toMatch(/^shards\.[a-z0-9-]+\.[0-9a-f]{24}$/);
        expect(poolOf(name)).toBe(pool);
      }),
    );
  });

  it('keeps identities and pools apart', () => {
    const names = ['cpu', 'cuda'].flatMap((pool) => ['tiny', 'tiny:v2', 'endpoint'].map((identity) => queueName(pool, identity)));
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(['', 'CPU', 'a:b', 'a.b', 'a b', 'x'.repeat(41)])('refuses the pool "%s"', (pool) => {
    expect(() => queueName(pool, 'any')).toThrow(TypeError);
  });

  it('has no pool for a name that it did not make', () => {
    expect(poolOf('something')).toBe('unknown');
  });
});
