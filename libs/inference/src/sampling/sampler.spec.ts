import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { philox4x32, philoxKey, uniform53 } from './philox.js';
import { portableExp } from './portable-exp.js';
import { greedyToken, InvalidLogitsError, sampleToken, type SamplingParameters } from './sampler.js';

const KEY = philoxKey('1961911680962343893');
const PLAIN: SamplingParameters = { temperature: 1, top_k: 0, top_p: 1 };

/** The rule of `sampleToken`, written with ordinary arrays. */
function reference(logits: number[], p: SamplingParameters, position: number): number {
  let order = logits.map((_, id) => id).sort((a, b) => logits[b]! - logits[a]! || a - b);
  if (p.top_k > 0) order = order.slice(0, p.top_k);
  const maximum = logits.reduce((most, logit) => Math.max(most, logit));
  let weights = order.map((id) => portableExp((logits[id]! - maximum) / p.temperature));
  const all = weights.reduce((sum, w) => sum + w, 0);
  if (p.top_p < 1) {
    let kept = 0;
    let mass = 0;
    do mass += weights[kept++]!;
    while (kept < weights.length && mass < p.top_p * all);
    weights = weights.slice(0, kept);
  }
  if (p.min_p !== undefined) weights = weights.filter((w) => w >= p.min_p!);
  const words = new Uint32Array(4);
  philox4x32([position, 0, 0, 0], KEY, words);
  const threshold = uniform53(words[0]!, words[1]!) * weights.reduce((sum, w) => sum + w, 0);
  let cumulative = 0;
  const index = weights.findIndex((w) => (cumulative += w) > threshold);
  return order[index < 0 ? weights.length - 1 : index]!;
}

describe('greedyToken', () => {
  it('takes the largest logit, ties to the lowest id', () => {
    expect(greedyToken(Float32Array.of(0, 3, 1, 3))).toBe(1);
    expect(greedyToken(Float32Array.of(-Infinity, -5))).toBe(1);
  });

  it.each([[[0, NaN, 1]], [[NaN]], [[1, Infinity]], [[-Infinity, -Infinity]], [[]]])('refuses %j', (logits) => {
    expect(() => greedyToken(Float32Array.from(logits))).toThrow(InvalidLogitsError);
  });
});

describe('sampleToken', () => {
  it('is greedy at temperature 0 whatever the key and position', () => {
    const logits = Float32Array.of(1, 4, 4, 2);
    for (let position = 0; position < 50; position++) {
      expect(sampleToken(logits, { ...PLAIN, temperature: 0 }, KEY, position)).toBe(1);
    }
  });

  it('follows the written rule', () => {
    const logit = fc.oneof(fc.float({ min: -30, max: 30, noNaN: true }), fc.constantFrom(0, -0, 1, -1, -Infinity));
    fc.assert(
      fc.property(
        fc.array(logit, { minLength: 1, maxLength: 40 }).filter((row) => row.some(Number.isFinite)),
        fc.record({
          temperature: fc.double({ min: 0.05, max: 3, noNaN: true }),
          top_k: fc.integer({ min: 0, max: 45 }),
          top_p: fc.double({ min: 0.01, max: 1, noNaN: true }),
          min_p: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
        }),
        fc.nat(100_000),
        (row, parameters, position) => {
          const logits = Float32Array.from(row);
          expect(sampleToken(logits, parameters, KEY, position)).toBe(reference([...logits], parameters, position));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('follows it on a large vocabulary, where most tokens are left out unsorted', () => {
    const words = new Uint32Array(4);
    const logits = Float32Array.from({ length: 20_000 }, (_, id) => {
      philox4x32([id, 0, 0, 0], KEY, words);
      return 60 * uniform53(words[0]!, words[1]!) ** 4 - (id % 7 === 0 ? 1e30 : 0);
    });
    for (const parameters of [
      PLAIN,
      { ...PLAIN, top_k: 50 },
      { ...PLAIN, temperature: 1.7, top_p: 0.9 },
      { ...PLAIN, temperature: 0.01 },
    ]) {
      for (const position of [0, 1, 2, 3]) {
        expect(sampleToken(logits, parameters, KEY, position)).toBe(reference([...logits], parameters, position));
      }
    }
  });

  it('draws each token with its probability', () => {
    const logits = Float32Array.from([0.5, 0.3, 0.2].map(Math.log));
    const counts = [0, 0, 0];
    for (let position = 0; position < 20_000; position++) counts[sampleToken(logits, PLAIN, KEY, position)]!++;
    expect(counts.map((n) => Math.round((n / 20_000) * 100) / 100)).toEqual([0.5, 0.3, 0.2]);
  });

  it('keeps at least one token at the smallest top_p, and cuts at top_k', () => {
    const logits = Float32Array.of(1, 1.1, 1.2);
    for (let position = 0; position < 200; position++) {
      expect(sampleToken(logits, { ...PLAIN, top_p: 1e-9 }, KEY, position)).toBe(2);
      expect(sampleToken(logits, { ...PLAIN, top_k: 2 }, KEY, position)).toBeGreaterThan(0);
    }
  });

  it('is frozen: twenty tokens of one key', () => {
    const logits = Float32Array.from({ length: 512 }, (_, id) => Math.fround(((id * 7919) % 512) / 64));
    const tokens = Array.from({ length: 20 }, (_, position) => sampleToken(logits, PLAIN, KEY, position));
    expect(tokens).toMatchInlineSnapshot(`
      [
        6,
        77,
        332,
        383,
        304,
        353,
        289,
        347,
        317,
        475,
        242,
        66,
        182,
        4,
        141,
        231,
        304,
        197,
        212,
        364,
      ]
    `);
  });
});
