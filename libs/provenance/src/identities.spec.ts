import { type Example, type Scorer, type SuiteHeader } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { DOMAINS } from './domain-hash.js';
import { exampleContentHash } from './example-content-hash.js';
import { generationHash } from './generation-hash.js';
import { scorerIdentity } from './scorer-identity.js';
import { SequenceHasher } from './sequence-hasher.js';
import { suiteHash } from './suite-hash.js';
import { targetHash } from './target-hash.js';

const example = {
  id: 'x',
  messages: [{ role: 'user', content: 'hi' }],
  target: null,
  aliases: [],
  tags: [],
  weight: 1,
  metadata: null,
  scorer: null,
  generation: null,
  tools: null,
  split: null,
  category: null,
  notes: null,
  pinned_history: null,
  cluster: null,
  source: null,
  reference: null,
} as Example;
const scorer = { kind: 'exact_match', case_sensitive: true, strip_whitespace: true } as Scorer;
const header = { name: 's' } as SuiteHeader;
const A = `sha256:${'a'.repeat(64)}`;
const B = `sha256:${'b'.repeat(64)}`;

describe('identities', () => {
  // Golden values from Python's hashlib.
  it('keeps its golden values', () => {
    expect(exampleContentHash(example)).toBe('sha256:0e470805611afe096a1e58685b7d3fca44d5b4d8d8bfc6811507c5fbec4b5ed1');
    expect(scorerIdentity(scorer)).toBe('sha256:f838d4d9794e7075cc9a6798a71557d40f631fefd6cdc607dc596bf28b52e2de');
    expect(suiteHash(header, [A, B])).toBe('sha256:03ee4f7563cb23028d0f0e18ef4f24f48f986bb4f3d753f0cfd9e2d7ccbfa1cd');
  });

  it('tells no tools from the tools of the suite', () => {
    expect(exampleContentHash({ ...example, tools: [] })).not.toBe(exampleContentHash(example));
  });

  it('sees the order and the number of examples, and the header', () => {
    expect(suiteHash(header, [B, A])).not.toBe(suiteHash(header, [A, B]));
    expect(suiteHash(header, [A])).not.toBe(suiteHash(header, [A, A]));
    expect(suiteHash({ ...header, name: 't' }, [A])).not.toBe(suiteHash(header, [A]));
    expect(() => suiteHash(header, ['a'.repeat(64)])).toThrow(TypeError);
  });

  it('separates versions and judges of one scorer', () => {
    const identities = [
      scorerIdentity(scorer),
      scorerIdentity(scorer, { versions: [2] }),
      scorerIdentity(scorer, { judge: { target: A, repetitions: 3 } }),
    ];
    expect(new Set(identities).size).toBe(3);
  });

  it('separates domains', () => {
    const frozen = { kind: 'model', model: 'm' };
    expect(targetHash(frozen as never)).not.toBe(generationHash(frozen));
  });
});

describe('SequenceHasher', () => {
  it('keeps its golden value, whatever is buffered', () => {
    const hasher = new SequenceHasher(DOMAINS.comparedRows);
    hasher.add(['x', 2 / 3]);
    hasher.add(['y', 1]);
    expect(hasher.finish()).toEqual({
      count: 2,
      sha256: 'sha256:d1a40f3a44af5463c7073606254360f2fdf31f8d6eaaebc11d592d0ccd0eccea',
    });
  });

  it('sees how values are divided', () => {
    const digest = (...values: unknown[]) => {
      const hasher = new SequenceHasher(DOMAINS.comparedRows);
      for (const value of values) hasher.add(value);
      return hasher.finish().sha256;
    };
    expect(digest([1, 2])).not.toBe(digest([1], [2]));
    expect(digest('a\nb')).not.toBe(digest('a', 'b'));
  });
});
