import { type DecoderShape, type MachineLimits, stepLimit } from '@kiln/inference/testing';

const BYTES_PER_NUMBER = 4;

/** Parameters in matrices that every token is multiplied with: all but the embedding, the norms and the tables. */
export function linearParameters({ layers, hidden, heads, kvHeads, headSize, feedForward, vocabulary }: DecoderShape): number {
  const attention = hidden * headSize * (2 * heads + 2 * kvHeads);
  return layers * (attention + 3 * hidden * feedForward) + hidden * vocabulary;
}

/** The least time that one step of `rows` rows with `context` tokens each can take, float32, s: as for a model that is read from its graph. */
export function decodeLimit(
  shape: DecoderShape,
  rows: number,
  context: number,
  limits: MachineLimits,
): { seconds: number; bound: 'bandwidth' | 'compute' } {
  const { layers, heads, kvHeads, headSize } = shape;
  const parameters = linearParameters(shape);
  const weights = { parameters, bytes: parameters * BYTES_PER_NUMBER, queryHeads: heads };
  const keysAndValues = Array.from({ length: 2 * layers }, () => ({ heads: kvHeads, headSize, type: 'float32' as const }));
  return stepLimit(weights, { cache: keysAndValues, states: [] }, { rows, context }, limits);
}

/** The least time to read a prompt's tokens `from` (those before are cached) up to `to`, s. Only the last one's logits are needed. */
export function prefillLimit(shape: DecoderShape, from: number, to: number, { flopsPerS }: MachineLimits): number {
  const { layers, heads, headSize, hidden, vocabulary } = shape;
  const head = hidden * vocabulary;
  const attended = (to * (to + 1) - from * (from + 1)) / 2;
  const flops = 2 * (linearParameters(shape) - head) * (to - from) + 2 * head + 4 * attended * heads * headSize * layers;
  return flops / flopsPerS;
}
