import { type CachePort, type StatePort } from '../onnx/decoder-layout.js';
import { type GraphWeights } from './graph-weights.js';
import { type MachineLimits } from './machine-limits.js';

/** What each row keeps: of a layout, what counts here. */
export interface KeptState {
  readonly cache: readonly Pick<CachePort, 'heads' | 'headSize' | 'type'>[];
  readonly states: readonly Pick<StatePort, 'shape' | 'type'>[];
}

const BYTES = { float32: 4, float16: 2 } as const;

/**
 * The least time, s, that one step of `rows` rows with `context` tokens each can take: weights, keys, values and states are read once, or all
 * products are computed, whichever takes longer. Where no operator states the heads of a query, as many as of a key are counted: a
 * lower time, and so a lower share of the limit.
 */
export function stepLimit(
  { bytes, parameters, queryHeads }: GraphWeights,
  { cache, states }: KeptState,
  { rows, context }: { rows: number; context: number },
  { bytesPerS, flopsPerS }: MachineLimits,
): { seconds: number; bound: 'bandwidth' | 'compute' } {
  let cacheBytes = 0;
  let attentionFlops = 0;
  for (const { heads, headSize, type } of cache) {
    cacheBytes += context * heads * headSize * BYTES[type];
    attentionFlops += 2 * context * (queryHeads ?? heads) * headSize;
  }
  for (const { shape, type } of states) cacheBytes += shape.reduce((total, size) => total * size, 1) * BYTES[type];
  const reading = (bytes + rows * cacheBytes) / bytesPerS;
  const computing = (rows * (2 * parameters + attentionFlops)) / flopsPerS;
  return reading > computing ? { seconds: reading, bound: 'bandwidth' } : { seconds: computing, bound: 'compute' };
}
