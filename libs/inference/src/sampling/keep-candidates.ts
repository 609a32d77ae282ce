/** Which candidates stay; see `SamplingParameters`. */
export interface Cuts {
  readonly top_p: number;
  readonly min_p?: number;
}

/** How many candidates stay, and their mass. */
export interface Kept {
  readonly kept: number;
  readonly total: number;
}

/**
 * @param weights in sampling order: they fall, and the first is 1.
 * @param all their mass; more, where `weights` are only the first of them.
 */
export function keepCandidates(weights: Float64Array, all: number, { top_p, min_p = 0 }: Cuts): Kept {
  if (top_p >= 1 && min_p === 0) return { kept: weights.length, total: all };
  const mass = top_p < 1 ? top_p * all : Infinity;
  let kept = 0;
  let cumulative = 0;
  while (kept < weights.length && (kept === 0 || (cumulative < mass && weights[kept]! >= min_p))) cumulative += weights[kept++]!;
  return { kept, total: cumulative };
}

/** The first candidate whose cumulative weight exceeds `threshold`; null: none of the first `kept` does. */
export function findCandidate(weights: Float64Array, kept: number, threshold: number): number | null {
  let cumulative = 0;
  for (let i = 0; i < kept; i++) {
    cumulative += weights[i]!;
    if (cumulative > threshold) return i;
  }
  return null;
}

/** From the first to the last, which is part of the sampling rule: another order would round in another way. */
export function massOf(weights: Float64Array): number {
  let mass = 0;
  for (let i = 0; i < weights.length; i++) mass += weights[i]!;
  return mass;
}
