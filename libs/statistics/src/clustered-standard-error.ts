import { ExactSum } from './exact-sum.js';

/** Scores that belong together. */
export interface ClusterSum {
  readonly sum: number;
  /** Scores in the cluster, ≥ 1. */
  readonly count: number;
  /** How many clusters are just like this one; 1 when absent. */
  readonly times?: number;
}

export interface ClusteredStandardError {
  /** G, the number of clusters: the true sample size. */
  readonly clusters: number;
  /** CR0, without a correction for few clusters. */
  readonly cr0: number;
  /** CR1 = CR0·√(G/(G−1)); `null` for a single cluster, which says nothing of the spread between clusters. */
  readonly cr1: number | null;
}

/**
 * Standard error of the mean of all scores, where scores of one cluster are not independent.
 *
 *   CR0 = √( Σ_c (S_c − n_c·m)² ) / n,  m = Σ S_c / n
 *
 * Where every score is its own cluster, CR1 is the usual standard error (n − 1 in the variance) and CR0 the one with n.
 * The order of the clusters does not matter.
 *
 * @param clusters read twice: a list, not a generator.
 * @returns `null` without a cluster.
 * @throws RangeError for a sum that is not finite or a count below 1.
 * Source: Liang & Zeger, Biometrika 73 (1986) 13–22; E. Miller, "Adding Error Bars to Evals" (2024), §2.2.
 * @example clusteredStandardError([{ sum: 3, count: 3, times: 2 }, { sum: 0, count: 3, times: 2 }]) // cr0 0.25, cr1 0.2887
 */
export function clusteredStandardError(clusters: Iterable<ClusterSum>): ClusteredStandardError | null {
  const total = new ExactSum();
  let scores = 0;
  let groups = 0;
  for (const { sum, count, times = 1 } of clusters) {
    if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`clusteredStandardError needs counts >= 1, got ${count}`);
    total.add(sum * times);
    scores += count * times;
    groups += times;
  }
  if (groups === 0) return null;
  const mean = total.value / scores;
  const squares = new ExactSum();
  for (const { sum, count, times = 1 } of clusters) squares.add(times * (sum - count * mean) ** 2);
  const cr0 = Math.sqrt(squares.value) / scores;
  return { clusters: groups, cr0, cr1: groups === 1 ? null : cr0 * Math.sqrt(groups / (groups - 1)) };
}
