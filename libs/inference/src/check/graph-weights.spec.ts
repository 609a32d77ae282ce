import { describe, expect, it } from 'vitest';
import { buildDecoderGraph } from '../testing/graphs/decoder-graph.js';
import { TINY_SHAPE } from '../testing/graphs/decoder-graph-options.js';
import { graphWeights } from './graph-weights.js';

/** Matrices of the shape, multiplied out by hand: q, k, v, o, gate, up, down of each layer, and the head. */
const TINY_PARAMETERS = 2 * (64 * 64 + 2 * 64 * 32 + 64 * 64 + 3 * 64 * 128) + 64 * 512;
/** Norms, and the like: of no weight. */
const SMALL = 4096;

describe('graphWeights', () => {
  it('counts what each token is multiplied with, and not the embedding', () => {
    const { parameters, bytes, queryHeads } = graphWeights(buildDecoderGraph({ shape: TINY_SHAPE }));
    expect(parameters).toBe(TINY_PARAMETERS);
    expect(bytes).toBeGreaterThanOrEqual(4 * TINY_PARAMETERS);
    expect(bytes).toBeLessThan(4 * TINY_PARAMETERS + SMALL);
    expect(queryHeads).toBe(4);
  });

  it('counts halves as two bytes, and plain attention states no heads', () => {
    const { bytes, queryHeads } = graphWeights(buildDecoderGraph({ shape: TINY_SHAPE, type: 'float16', attention: 'plain' }));
    expect(bytes).toBeGreaterThanOrEqual(2 * TINY_PARAMETERS);
    expect(bytes).toBeLessThan(2 * TINY_PARAMETERS + SMALL);
    expect(queryHeads).toBeNull();
  });

  it('counts weights in blocks by what they stand for, and reads half a byte and a scale in 32 each', () => {
    const { parameters, bytes } = graphWeights(buildDecoderGraph({ shape: TINY_SHAPE, quantisation: { accuracyLevel: 4 } }));
    expect(parameters).toBe(TINY_PARAMETERS);
    expect(bytes).toBeGreaterThanOrEqual(TINY_PARAMETERS / 2 + TINY_PARAMETERS / 8);
    expect(bytes).toBeLessThan(TINY_PARAMETERS);
  });
});
