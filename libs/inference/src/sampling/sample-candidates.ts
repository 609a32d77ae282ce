import { adjustsLogits } from './adjust-logits.js';
import { findCandidate, type Kept, keepCandidates, massOf } from './keep-candidates.js';
import { type PhiloxKey } from './philox.js';
import { NEGLIGIBLE, type SamplingParameters, tokenDraw, weightOf } from './sampler.js';

/** What a device found of a row of logits, in place of the row. */
export interface Candidates {
  /** Logits of the whole row. */
  readonly vocabulary: number;
  /** The largest logits. */
  readonly logits: Float32Array;
  /** Their tokens. Which of several equal logits are here, and in what order, is not relied on. */
  readonly tokens: BigInt64Array;
  readonly temperature: number;
  /** Σ exp((logit − largest) / temperature) over the whole row, within {@link massError}. NaN when a logit is NaN or the largest is infinite. */
  readonly mass: number;
}

/**
 * The token that `sampleToken` gives for the whole row, or null: only the whole row can tell. Never another token; null for a row that
 * `sampleToken` refuses, too, and where bias or penalties move logits.
 *
 * The weights in sampling order are known for as many places as there are candidates. Which token is in a place is known only where its logit
 * is above the last candidate's, to which others outside may be equal. The mass of all is known as an interval: the draw stands where both of
 * its ends lead to one place.
 */
export function sampleCandidates(row: Candidates, parameters: SamplingParameters, key: PhiloxKey, position: number): number | null {
  if (adjustsLogits(parameters) || Number.isNaN(row.mass)) return null;
  const { logits, tokens } = inOrder(row);
  const { temperature, top_k } = parameters;
  const place = temperature === 0 || top_k === 1 ? 0 : drawPlace(logits, row, parameters, tokenDraw(key, position));
  return place !== null && place < certainPlaces(logits, row.vocabulary) ? Number(tokens[place]) : null;
}

/** The place of the token in sampling order; null: it depends on what is outside. */
function drawPlace(logits: Float32Array, row: Candidates, parameters: SamplingParameters, draw: number): number | null {
  const { weights, isAll } = weigh(logits, row.vocabulary, parameters);
  const bounds = isAll ? exactly(massOf(weights)) : massBounds(weights, row, parameters);
  const [low, high] = bounds.map((mass) => keepCandidates(weights, mass, parameters)) as [Kept, Kept];
  // The place rises with the mass, so that the two ends of the interval bound it. Where those that stay may go on behind the candidates, the
  // upper end takes the largest possible mass: a draw beyond the candidates falls on the last of them, which is never certain.
  const isOpen = !isAll && high.kept === weights.length;
  const first = findCandidate(weights, low.kept, draw * low.total) ?? low.kept - 1;
  const last = findCandidate(weights, high.kept, draw * (isOpen ? bounds[1] : high.total)) ?? high.kept - 1;
  return first === last ? first : null;
}

/** The first weights of the row in sampling order, and whether there are no more. */
function weigh(
  logits: Float32Array,
  vocabulary: number,
  { temperature, top_k }: SamplingParameters,
): { weights: Float64Array; isAll: boolean } {
  const maximum = logits[0]!;
  const least = Math.fround(maximum + NEGLIGIBLE * temperature);
  const most = top_k > 0 ? Math.min(top_k, logits.length) : logits.length;
  let count = 0;
  while (count < most && logits[count]! >= least) count++;
  const weights = new Float64Array(count);
  for (let i = 0; i < count; i++) weights[i] = weightOf(logits[i]!, maximum, temperature);
  return { weights, isAll: count < logits.length || top_k === count || vocabulary === count };
}

type Bounds = readonly [least: number, most: number];

const exactly = (mass: number): Bounds => [mass, mass];

/** Bounds of the mass that `sampleToken` would sum up over all that `top_k` leaves, of which `weights` are the first. */
function massBounds(
  weights: Float64Array,
  { vocabulary, temperature, mass }: Candidates,
  { top_k, ...parameters }: SamplingParameters,
): Bounds {
  const known = massOf(weights);
  const limit = top_k > 0 ? Math.min(top_k, vocabulary) : vocabulary;
  const error = massError(vocabulary);
  const most = (known + (limit - weights.length) * weights.at(-1)!) * (1 + error);
  if (temperature !== parameters.temperature) return [known, most];
  return [top_k > 0 ? known : Math.max(known, mass * (1 - error)), Math.min(most, mass * (1 + error))];
}

/**
 * How far the mass that the device computes may be from the one that `sampleToken` sums up, as a share. Both are sums of `vocabulary` terms of
 * float64, in any order: at most 2^-53 a term for each of the two. What `sampleToken` leaves out as negligible is at most e^-38 < 2^-54 a term.
 * The rest is for exponentials that are some units in the last place off.
 */
export function massError(vocabulary: number): number {
  return (vocabulary + 1024) * 2 ** -50;
}

/** Candidates by (logit descending, token ascending), as they come from most devices. */
function inOrder({ logits, tokens }: Candidates): Pick<Candidates, 'logits' | 'tokens'> {
  const compare = (a: number, b: number) => logits[b]! - logits[a]! || Number(tokens[a]! - tokens[b]!);
  const places = Array.from(logits.keys());
  if (places.every((place) => place === 0 || compare(place - 1, place) < 0)) return { logits, tokens };
  places.sort(compare);
  return { logits: Float32Array.from(places, (place) => logits[place]!), tokens: BigInt64Array.from(places, (place) => tokens[place]!) };
}

/** How many of the first places have their token for sure. */
function certainPlaces(logits: Float32Array, vocabulary: number): number {
  return logits.length === vocabulary ? vocabulary : logits.indexOf(logits.at(-1)!);
}
