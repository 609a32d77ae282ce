import { type DecoderShape } from '@kiln/inference/testing';

/** What this machine can do on one thread. */
export interface MachineLimits {
  /** Reading memory in order, bytes a second of CPU time. */
  bytesPerS: number;
  /** Multiplying large matrices, floating-point operations a second of CPU time. */
  flopsPerS: number;
}

const BYTES_PER_NUMBER = 4;

/** Parameters in matrices that every token is multiplied with: all but the embedding, the norms and the tables. */
export function linearParameters({ layers, hidden, heads, kvHeads, headSize, feedForward, vocabulary }: DecoderShape): number {
  const attention = hidden * headSize * (2 * heads + 2 * kvHeads);
  return layers * (attention + 3 * hidden * feedForward) + hidden * vocabulary;
}

/**
 * The least time that one step of `rows` rows with `context` tokens each can take, float32, s: each weight and each row's keys and
 * values are read once, or all products are computed, whichever takes longer.
 */
export function decodeLimit(
  shape: DecoderShape,
  rows: number,
  context: number,
  { bytesPerS, flopsPerS }: MachineLimits,
): { seconds: number; bound: 'bandwidth' | 'compute' } {
  const { layers, heads, kvHeads, headSize } = shape;
  const weights = linearParameters(shape);
  const cacheBytesPerToken = 2 * layers * kvHeads * headSize * BYTES_PER_NUMBER;
  const reading = (weights * BYTES_PER_NUMBER + rows * context * cacheBytesPerToken) / bytesPerS;
  const computing = (2 * weights * rows + 4 * context * heads * headSize * layers * rows) / flopsPerS;
  return reading > computing ? { seconds: reading, bound: 'bandwidth' } : { seconds: computing, bound: 'compute' };
}

/** The least time to read a prompt's tokens `from` (those before are cached) up to `to`, s. Only the last one's logits are needed. */
export function prefillLimit(shape: DecoderShape, from: number, to: number, { flopsPerS }: MachineLimits): number {
  const { layers, heads, headSize, hidden, vocabulary } = shape;
  const head = hidden * vocabulary;
  const attended = (to * (to + 1) - from * (from + 1)) / 2;
  const flops = 2 * (linearParameters(shape) - head) * (to - from) + 2 * head + 4 * attended * heads * headSize * layers;
  return flops / flopsPerS;
}
