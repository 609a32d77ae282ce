import { adjustLogits, type LogitAdjustments, NOTHING_SEEN, type SeenTokens } from './adjust-logits.js';
import { findCandidate, keepCandidates, massOf } from './keep-candidates.js';
import { type PhiloxKey, philox4x32, uniform53 } from './philox.js';
import { portableExp } from './portable-exp.js';
import { samplingOrder } from './sampling-order.js';

/** Names the sampling rules below; it belongs to a result's provenance. */
export const SAMPLER_VERSION = 'kiln.sampler.v1';

/** Counter word that keeps token draws apart from draws that other features may need from the same seed. */
const TOKEN_STREAM = 0;

export interface SamplingParameters extends LogitAdjustments {
  /** 0 = greedy. */
  readonly temperature: number;
  /** Most likely tokens that stay; 0 = all. */
  readonly top_k: number;
  /** The smallest set of most likely tokens whose mass reaches this share stays; 1 = all. */
  readonly top_p: number;
  /** Tokens at least this share as likely as the most likely one stay; absent or 0 = all. */
  readonly min_p?: number;
}

/** Thrown for a logits row that is not a distribution: NaN, +Infinity, or -Infinity everywhere. */
export class InvalidLogitsError extends Error {
  override readonly name = 'InvalidLogitsError';
}

/**
 * Chooses the next token. Pure: a row of `logits`, the parameters, what was `seen`, the completion's key and the token's `position`
 * in the completion (0 = first generated) always give the same token, whatever else is being decoded.
 *
 * Bias and penalties move the logits first ({@link adjustLogits}).
 * temperature 0: the largest logit, ties to the lowest id.
 * Otherwise candidates are ordered by (logit descending, id ascending) and weighted exp((logit - max) / temperature) in
 * float64; top_k cuts the order, then top_p keeps the shortest prefix whose mass is >= top_p of the mass left, then min_p keeps those whose
 * weight is >= min_p; the token is the first one whose cumulative weight exceeds u * total, with u from Philox4x32-10 at counter
 * (position, 0, stream, 0).
 *
 * @throws InvalidLogitsError
 */
export function sampleToken(
  logits: Float32Array,
  parameters: SamplingParameters,
  key: PhiloxKey,
  position: number,
  seen: SeenTokens = NOTHING_SEEN,
): number {
  // Before anything is moved, because a penalty may hide what is wrong with a row.
  const likeliest = greedyToken(logits);
  const adjusted = adjustLogits(logits, parameters, seen);
  const best = adjusted === logits ? likeliest : greedyToken(adjusted);
  if (parameters.temperature === 0 || parameters.top_k === 1) return best;

  const { order, weights } = candidates(adjusted, adjusted[best]!, parameters);
  const { kept, total } = keepCandidates(weights, massOf(weights), parameters);
  return order[findCandidate(weights, kept, tokenDraw(key, position) * total) ?? kept - 1]!;
}

/** The number in [0, 1) that decides about the token at a position. */
export function tokenDraw(key: PhiloxKey, position: number): number {
  const words = new Uint32Array(4);
  philox4x32([position, 0, TOKEN_STREAM, 0], key, words);
  return uniform53(words[0]!, words[1]!);
}

/** The id of the largest logit, ties to the lowest id. @throws InvalidLogitsError */
export function greedyToken(logits: Float32Array): number {
  let best = -1;
  let bestLogit = -Infinity;
  for (let id = 0; id < logits.length; id++) {
    const logit = logits[id]!;
    // One comparison for nearly all of them: it fails for NaN, too.
    if (logit <= bestLogit) continue;
    if (logit !== logit) throw new InvalidLogitsError(`logit of token ${id} is NaN`);
    bestLogit = logit;
    best = id;
  }
  if (best < 0) throw new InvalidLogitsError('every logit is -Infinity');
  if (bestLogit === Infinity) throw new InvalidLogitsError(`logit of token ${best} is Infinity`);
  return best;
}

/**
 * e^-38 is less than 2^-54. Added to a sum that is 1 or more, such a weight rounds away: leaving it out changes no bit of any sum, and saves
 * most of the sorting.
 */
export const NEGLIGIBLE = -38;

/** Tokens in sampling order with their unnormalised weights. */
function candidates(
  logits: Float32Array,
  maximum: number,
  { temperature, top_k }: SamplingParameters,
): { order: Uint32Array; weights: Float64Array } {
  const order = samplingOrder(logits, top_k, maximum + NEGLIGIBLE * temperature);
  const weights = new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) weights[i] = weightOf(logits[order[i]!]!, maximum, temperature);
  return { order, weights };
}

/** The unnormalised weight of a token, 1 for the likeliest. */
export function weightOf(logit: number, maximum: number, temperature: number): number {
  return portableExp((logit - maximum) / temperature);
}
