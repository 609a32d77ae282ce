import { type PhiloxKey, philox4x32, uniform53 } from './philox.js';
import { portableExp } from './portable-exp.js';

/** Names the sampling rules below; it belongs to a result's provenance. */
export const SAMPLER_VERSION = 'kiln.sampler.v1';

/** Counter word that keeps token draws apart from draws that other features may need from the same seed. */
const TOKEN_STREAM = 0;

export interface SamplingParameters {
  /** 0 = greedy. */
  readonly temperature: number;
  /** Most likely tokens that stay; 0 = all. */
  readonly top_k: number;
  /** The smallest set of most likely tokens whose mass reaches this share stays; 1 = all. */
  readonly top_p: number;
}

/** Thrown for a logits row that is not a distribution: NaN, +Infinity, or -Infinity everywhere. */
export class InvalidLogitsError extends Error {
  override readonly name = 'InvalidLogitsError';
}

/**
 * Chooses the next token. Pure: a row of `logits`, the parameters, the completion's key and the token's `position` in
 * the completion (0 = first generated) always give the same token, whatever else is being decoded.
 *
 * temperature 0: the largest logit, ties to the lowest id.
 * Otherwise candidates are ordered by (logit descending, id ascending) and weighted exp((logit - max) / temperature) in
 * float64; top_k cuts the order, then top_p keeps the shortest prefix whose mass is >= top_p of the mass left; the token is the first one whose
 * cumulative weight exceeds u * total, with u from Philox4x32-10 at counter (position, 0, stream, 0).
 *
 * @throws InvalidLogitsError
 */
export function sampleToken(logits: Float32Array, parameters: SamplingParameters, key: PhiloxKey, position: number): number {
  const best = greedyToken(logits);
  if (parameters.temperature === 0 || parameters.top_k === 1) return best;

  const { order, weights } = candidates(logits, logits[best]!, parameters);
  let total = 0;
  for (let i = 0; i < weights.length; i++) total += weights[i]!;
  let kept = weights.length;
  if (parameters.top_p < 1) {
    const mass = parameters.top_p * total;
    let cumulative = 0;
    for (kept = 0; kept < weights.length && (kept === 0 || cumulative < mass); kept++) cumulative += weights[kept]!;
    total = cumulative;
  }

  const words = new Uint32Array(4);
  philox4x32([position, 0, TOKEN_STREAM, 0], key, words);
  const threshold = uniform53(words[0]!, words[1]!) * total;
  let cumulative = 0;
  for (let i = 0; i < kept; i++) {
    cumulative += weights[i]!;
    if (cumulative > threshold) return order[i]!;
  }
  return order[kept - 1]!;
}

/** The id of the largest logit, ties to the lowest id. @throws InvalidLogitsError */
export function greedyToken(logits: Float32Array): number {
  let best = -1;
  let bestLogit = -Infinity;
  for (let id = 0; id < logits.length; id++) {
    const logit = logits[id]!;
    if (logit > bestLogit) {
      bestLogit = logit;
      best = id;
    } else if (logit !== logit) {
      throw new InvalidLogitsError(`logit of token ${id} is NaN`);
    }
  }
  if (best < 0) throw new InvalidLogitsError('every logit is -Infinity');
  if (bestLogit === Infinity) throw new InvalidLogitsError(`logit of token ${best} is Infinity`);
  return best;
}

/** Tokens in sampling order with their unnormalised weights. */
function candidates(
  logits: Float32Array,
  maximum: number,
  { temperature, top_k }: SamplingParameters,
): { order: Uint32Array; weights: Float64Array } {
  let order = samplingOrder(logits);
  if (top_k > 0 && top_k < order.length) order = order.subarray(0, top_k);
  const weights = new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) weights[i] = portableExp((logits[order[i]!]! - maximum) / temperature);
  return { order, weights };
}

/** Room for the token id in a sort key: 32 bits of logit and 21 of id are the 53 that a double holds. */
const ID_RANGE = 2 ** 21;

/**
 * Token ids by (logit descending, id ascending). The bits of a float32 become an unsigned integer in reverse order, so that the
 * keys sort natively as doubles: on a vocabulary of 150,000 that is several times faster than a comparator.
 */
function samplingOrder(logits: Float32Array): Uint32Array {
  if (logits.length > ID_RANGE) throw new RangeError(`a vocabulary of ${logits.length} is over ${ID_RANGE}`);
  // Adding 0 turns -0 into 0, which must tie with it.
  const bits = new Uint32Array(Float32Array.from(logits, (logit) => logit + 0).buffer);
  const keys = new Float64Array(logits.length);
  for (let id = 0; id < keys.length; id++) {
    const negative = bits[id]! >>> 31 === 1;
    const descending = negative ? bits[id]! : 0x7fff_ffff - bits[id]!;
    keys[id] = descending * ID_RANGE + id;
  }
  keys.sort();
  return Uint32Array.from(keys, (key) => key % ID_RANGE);
}
