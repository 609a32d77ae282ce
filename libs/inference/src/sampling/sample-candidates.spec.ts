import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { philox4x32, philoxKey, uniform53 } from './philox.js';
import { portableExp } from './portable-exp.js';
import { type Candidates, massError, sampleCandidates } from './sample-candidates.js';
import { sampleToken, type SamplingParameters } from './sampler.js';

const KEY = philoxKey('1961911680962343893');
const PLAIN: SamplingParameters = { temperature: 1, top_k: 0, top_p: 1 };

interface Device {
  readonly count: number;
  /** Which of equal logits a device takes, and in what order: any. */
  readonly shuffle: number;
  /** Between -1 and 1: how far its mass is off, as a share of what it may be. */
  readonly off: number;
  readonly temperature: number;
}

/** What a device may find of a row, as sloppy as it is allowed to be. */
function found(logits: Float32Array, { count, shuffle, off, temperature }: Device): Candidates {
  const noise = (id: number) => (id * 2_654_435_761 + shuffle * 40_503) % 1009;
  const order = Array.from(logits.keys()).sort((a, b) => logits[b]! - logits[a]! || noise(a) - noise(b));
  const tokens = order.slice(0, count).sort((a, b) => (shuffle % 3 === 0 ? logits[b]! - logits[a]! || a - b : noise(a) - noise(b)));
  const maximum = logits[order[0]!]!;
  // The other way round, as a device may sum.
  const mass = order.toReversed().reduce((sum, id) => sum + Math.exp((logits[id]! - maximum) / temperature), 0);
  return {
    vocabulary: logits.length,
    logits: Float32Array.from(tokens, (id) => logits[id]!),
    tokens: BigInt64Array.from(tokens, BigInt),
    temperature,
    mass: mass * (1 + off * massError(logits.length) * 0.9),
  };
}

const device: fc.Arbitrary<Omit<Device, 'temperature'>> = fc.record({
  count: fc.integer({ min: 1, max: 20 }),
  shuffle: fc.nat(1000),
  off: fc.double({ min: -1, max: 1, noNaN: true }),
});
const temperature = fc.oneof(fc.constant(0), fc.double({ min: 0.05, max: 3, noNaN: true }));
const cuts = fc.record({
  temperature,
  top_k: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 45 })),
  top_p: fc.oneof(fc.constant(1), fc.double({ min: 0.01, max: 1, noNaN: true })),
  min_p: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
});
const drawTemperature = ({ temperature: own }: SamplingParameters) => (own === 0 ? 1 : own);

/** Of a vocabulary of `size` tokens, falling fast enough for a few to have nearly all of the mass. */
const peaked = (size: number, seed: number) =>
  Float32Array.from({ length: size }, (_, id) => {
    const words = new Uint32Array(4);
    philox4x32([id, seed, 0, 0], KEY, words);
    return 30 * uniform53(words[0]!, words[1]!) ** 3;
  });

describe('sampleCandidates', () => {
  it.each([
    ['of any logits', fc.float({ min: -30, max: 30, noNaN: true })],
    ['that are alike', fc.float({ min: -1, max: 1, noNaN: true })],
    ['with many that are equal', fc.constantFrom(0, -0, 0.5, 1, 1.5, 2, -4, -Infinity)],
  ])('gives the token of the whole row or none: rows %s', (_, logit) => {
    let decided = 0;
    fc.assert(
      fc.property(
        fc.array(logit, { minLength: 1, maxLength: 60 }).filter((row) => row.some(Number.isFinite)),
        device,
        cuts,
        fc.nat(100_000),
        fc.boolean(),
        (row, options, parameters, position, isOfOther) => {
          const logits = Float32Array.from(row);
          const own = drawTemperature(parameters);
          const count = Math.min(options.count, row.length);
          const candidates = found(logits, { ...options, count, temperature: isOfOther ? own * 1.5 : own });
          const token = sampleCandidates(candidates, parameters, KEY, position);
          if (token !== null) decided++;
          if (token !== null) expect(token).toBe(sampleToken(logits, parameters, KEY, position));
        },
      ),
      { numRuns: 8000 },
    );
    expect(decided).toBeGreaterThan(2000);
  });

  it.each<[string, Partial<SamplingParameters>]>([
    ['greedy', { temperature: 0 }],
    ['top_k', { top_k: 50 }],
    ['top_p', { top_p: 0.9 }],
    ['top_p of a mass that other settings cut, too', { temperature: 0.7, top_k: 40, top_p: 0.95, min_p: 0.01 }],
    ['min_p', { min_p: 0.05 }],
    ['a temperature at which all others are negligible', { temperature: 0.1 }],
  ])('decides on every row where candidates have nearly all of the mass: %s', (_, settings) => {
    const parameters = { ...PLAIN, ...settings };
    for (let position = 0; position < 200; position++) {
      const logits = peaked(2000, position);
      const candidates = found(logits, { count: 256, shuffle: 0, off: 1, temperature: drawTemperature(parameters) });
      expect(sampleCandidates(candidates, parameters, KEY, position)).toBe(sampleToken(logits, parameters, KEY, position));
    }
  });

  it('decides on nearly every row without any cut', () => {
    let decided = 0;
    for (let position = 0; position < 200; position++) {
      const logits = peaked(2000, position);
      const token = sampleCandidates(found(logits, { count: 256, shuffle: 1, off: -1, temperature: 1 }), PLAIN, KEY, position);
      if (token !== null) decided++;
      expect([null, sampleToken(logits, PLAIN, KEY, position)]).toContain(token);
    }
    expect(decided).toBeGreaterThan(150);
  });

  const row = Float32Array.of(3, 2, 2, 1);
  const sample = (over: Partial<Candidates>, settings: Partial<SamplingParameters> = {}) =>
    sampleCandidates({ ...found(row, { count: 2, shuffle: 0, off: 0, temperature: 1 }), ...over }, { ...PLAIN, ...settings }, KEY, 0);

  it.each<[string, Partial<SamplingParameters>]>([
    ['a bias', { logit_bias: { '1': -5 } }],
    ['a penalty', { repetition_penalty: 1.1 }],
    ['a penalty by presence', { presence_penalty: 0.1 }],
    ['a penalty by frequency', { frequency_penalty: 0.1 }],
  ])('leaves a row to %s', (_, settings) => {
    expect(sample({}, { temperature: 0 })).toBe(0);
    expect(sample({}, { temperature: 0, ...settings })).toBeNull();
  });

  it('leaves a row alone that is no distribution', () => {
    for (const temperatures of [0, 1]) expect(sample({ mass: NaN }, { temperature: temperatures })).toBeNull();
  });

  it('knows no token among equals at the cut', () => {
    // Token 2 may be outside, and be as large.
    const equal: Candidates = { vocabulary: 4, logits: Float32Array.of(5, 5), tokens: BigInt64Array.of(3n, 1n), temperature: 1, mass: 3.1 };
    expect(sampleCandidates(equal, { ...PLAIN, temperature: 0 }, KEY, 0)).toBeNull();
    expect(sampleCandidates({ ...equal, vocabulary: 2, mass: 2 }, { ...PLAIN, temperature: 0 }, KEY, 0)).toBe(1);
  });

  it('does not decide where the mass that is not known to the bit would', () => {
    // Two halves: the share that stays ends exactly between them.
    const halves = Float32Array.of(0, 0, -20, -21, -22);
    const half = 1 / halves.reduce((sum, logit) => sum + portableExp(logit), 0);
    for (const off of [-1, -0.5, 0, 0.5, 1]) {
      const candidates = found(halves, { count: 3, shuffle: 0, off, temperature: 1 });
      const tokens = (top_p: number) =>
        Array.from({ length: 60 }, (_, position) => {
          const token = sampleCandidates(candidates, { ...PLAIN, top_p }, KEY, position);
          expect([null, sampleToken(halves, { ...PLAIN, top_p }, KEY, position)]).toContain(token);
          return token;
        });
      expect(new Set(tokens(half))).toEqual(new Set([0, null]));
      expect(new Set(tokens(half * (1 + 1e-9)))).toEqual(new Set([0, 1]));
      expect(new Set(tokens(half * (1 - 1e-9)))).toEqual(new Set([0]));
    }
  });
});
