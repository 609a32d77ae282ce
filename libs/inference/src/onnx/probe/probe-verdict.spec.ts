import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DecodeRules } from '../decode/decode-rules.js';
import { type ProbeMeasurements, type StepMeasurement } from './probe-measurements.js';
import { probeVerdict } from './probe-verdict.js';
import { tightenRules } from './tighten-rules.js';

const step = (rows: number, first: string, last = first): StepMeasurement => ({ rows, first, last });
const same = [1, 2, 4, 32].map((rows) => step(rows, 'a'));
const GOOD: ProbeMeasurements = {
  finite: true,
  repeated: true,
  padding: true,
  width: true,
  neighbours: true,
  chunks: true,
  lastTokenAlone: false,
  steps: same,
  adapter: null,
};
const RULES: DecodeRules = {
  minRows: 1,
  maxRows: 32,
  stepSizes: null,
  masksWholeSlots: false,
  chunkTokens: 512,
  reuse: 'anywhere',
  past: 'slots',
};

describe('probeVerdict', () => {
  it.each<[string, StepMeasurement[], { minRows: number; maxRows: number | null }]>([
    ['all alike', same, { minRows: 1, maxRows: null }],
    ['one row alone differs', [step(1, 'b'), step(2, 'a'), step(32, 'a')], { minRows: 2, maxRows: null }],
    ['the largest alone differs', [step(1, 'b'), step(2, 'b'), step(32, 'a')], { minRows: 32, maxRows: null }],
    ['one in between differs', [step(1, 'a'), step(3, 'b'), step(4, 'a'), step(32, 'a')], { minRows: 4, maxRows: null }],
    ['the place in the step decides', [step(1, 'a'), step(2, 'a'), step(32, 'a', 'b')], { minRows: 1, maxRows: 1 }],
    ['the place in a smaller step decides', [step(1, 'a'), step(2, 'a', 'b'), step(32, 'a')], { minRows: 32, maxRows: null }],
    ['one row at a time', [step(1, 'a')], { minRows: 1, maxRows: null }],
  ])('rows: %s', (_name, steps, expected) => {
    expect(probeVerdict({ ...GOOD, steps })).toMatchObject({ ...expected, flaws: [] });
  });

  it('decodes rows one by one where neighbours matter', () => {
    expect(probeVerdict({ ...GOOD, neighbours: false })).toMatchObject({ minRows: 1, maxRows: 1 });
  });

  it('has more rows with an adapter, never fewer', () => {
    const adapter = { rankZero: true, steps: [step(1, 'x'), step(2, 'y'), step(32, 'y')] };
    expect(probeVerdict({ ...GOOD, adapter })).toMatchObject({ minRows: 1, adapterMinRows: 2 });
    const steps = [step(1, 'a'), step(2, 'b'), step(32, 'c')];
    expect(probeVerdict({ ...GOOD, steps, adapter })).toMatchObject({ minRows: 32, adapterMinRows: 32 });
  });

  it.each<[Partial<ProbeMeasurements>, boolean]>([
    [{ chunks: true }, false],
    [{ chunks: false }, true],
    [{ chunks: null }, true],
  ])('%j: prompts must be cut alike: %s', (change, exactPrefill) => {
    expect(probeVerdict({ ...GOOD, ...change }).exactPrefill).toBe(exactPrefill);
  });

  it.each<[Partial<ProbeMeasurements>, RegExp]>([
    [{ repeated: false }, /same run twice/],
    [{ padding: false }, /padding/],
    [{ width: false }, /width/],
    [{ adapter: { rankZero: false, steps: same } }, /rank 0/],
  ])('%j is a flaw', (change, flaw) => {
    expect(probeVerdict({ ...GOOD, ...change }).flaws).toEqual([expect.stringMatching(flaw)]);
  });

  it('needs a step', () => {
    expect(() => probeVerdict({ ...GOOD, steps: [] })).toThrow(RangeError);
  });
});

describe('tightenRules', () => {
  it.each<[Partial<DecodeRules>, Partial<ProbeMeasurements>, Partial<DecodeRules>]>([
    [{}, {}, {}],
    [{}, { steps: [step(1, 'b'), step(2, 'a'), step(32, 'a')] }, { minRows: 2 }],
    [{ minRows: 2 }, {}, { minRows: 2 }],
    [{ minRows: 2 }, { neighbours: false }, { minRows: 1, maxRows: 1 }],
    [{}, { chunks: false }, { reuse: 'chunks' }],
    [{ reuse: 'whole' }, { chunks: false }, { reuse: 'whole' }],
    [{ reuse: 'chunks' }, {}, { reuse: 'chunks' }],
  ])('%j and %j', (rules, change, expected) => {
    expect(tightenRules({ ...RULES, ...rules }, probeVerdict({ ...GOOD, ...change }))).toEqual({ ...RULES, ...rules, ...expected });
  });

  it('never allows more than the rules or the measurements', () => {
    const reuse = fc.constantFrom('anywhere', 'chunks', 'whole');
    const rank = { whole: 0, chunks: 1, anywhere: 2 };
    const rules = fc.record({ minRows: fc.integer({ min: 1, max: 2 }), maxRows: fc.integer({ min: 2, max: 64 }), reuse });
    const measured = fc.record({
      neighbours: fc.boolean(),
      chunks: fc.option(fc.boolean()),
      digests: fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 6 }),
    });
    fc.assert(
      fc.property(rules, measured, (given, { digests, ...change }) => {
        const verdict = probeVerdict({ ...GOOD, ...change, steps: digests.map((digest, index) => step(index + 1, digest)) });
        const tight = tightenRules({ ...RULES, ...given }, verdict);
        expect(tight.minRows).toBeLessThanOrEqual(tight.maxRows);
        expect(tight.maxRows).toBeLessThanOrEqual(Math.min(given.maxRows, verdict.maxRows ?? Infinity));
        if (verdict.maxRows === null) expect(tight.minRows).toBe(Math.min(Math.max(given.minRows, verdict.minRows), given.maxRows));
        expect(rank[tight.reuse]).toBeLessThanOrEqual(rank[given.reuse]);
      }),
    );
  });
});
