import { MID_SHAPE } from '@kiln/inference/testing';
import { describe, expect, it } from 'vitest';
import { decodeLimit, linearParameters, prefillLimit } from './decode-limit.js';

/** Measured once on one core; the limits beside it were worked out by hand from the formula. */
const MACHINE = { bytesPerS: 21e9, flopsPerS: 97e9 };

describe('decodeLimit', () => {
  it.each([
    { rows: 1, context: 256, ms: 19.3, bound: 'bandwidth' },
    { rows: 8, context: 256, ms: 21.4, bound: 'bandwidth' },
    { rows: 32, context: 256, ms: 69, bound: 'compute' },
    { rows: 32, context: 1024, ms: 79, bound: 'compute' },
  ])('of $rows rows at $context tokens is $ms ms of $bound', ({ rows, context, ms, bound }) => {
    const limit = decodeLimit(MID_SHAPE, rows, context, MACHINE);
    expect(Math.abs(limit.seconds * 1000 - ms)).toBeLessThan(0.6);
    expect(limit.bound).toBe(bound);
  });

  it('reads 400 MB of matrices a step', () => {
    expect(linearParameters(MID_SHAPE) * 4).toBe(400_293_888);
  });
});

describe('prefillLimit', () => {
  it('of a prompt in two parts is that of the whole, but for the logits in between', () => {
    const head = (2 * MID_SHAPE.hidden * MID_SHAPE.vocabulary) / MACHINE.flopsPerS;
    const parts = prefillLimit(MID_SHAPE, 0, 200, MACHINE) + prefillLimit(MID_SHAPE, 200, 256, MACHINE);
    expect(parts - head).toBeCloseTo(prefillLimit(MID_SHAPE, 0, 256, MACHINE), 9);
  });
});
