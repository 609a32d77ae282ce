import { type ClusteredStandardError, clusteredStandardError, type ClusterSum } from '@kiln/statistics';
import { type ClusterIndex } from './cluster-index.js';

/**
 * Sums of values by cluster, for the clustered standard error of their mean. A value without a cluster is independent of
 * all others. Memory: two numbers a cluster, and one entry a distinct value without one.
 *
 * Values of 0 and 1 may come in any order; sums of others may differ in the last bit, so they come in suite order.
 */
export class ClusterSums {
  readonly #index: ClusterIndex;
  readonly #alone = new Map<number, number>();
  #sums = new Float64Array(16);
  #counts = new Int32Array(16);
  #named = false;

  constructor(index: ClusterIndex) {
    this.#index = index;
  }

  add(value: number, cluster: string | null): void {
    if (cluster === null) {
      this.#alone.set(value, (this.#alone.get(value) ?? 0) + 1);
      return;
    }
    this.#named = true;
    const index = this.#index.indexOf(cluster);
    if (index === null) return;
    if (index >= this.#sums.length) this.#grow(index);
    this.#sums[index] = (this.#sums[index] as number) + value;
    this.#counts[index] = (this.#counts[index] as number) + 1;
  }

  /**
   * `null` when no value named a cluster (the plain standard error is then the right one), when all are in one cluster
   * (nothing is known of the spread between clusters), and when there were more names than there is room for.
   */
  standardError(): (ClusteredStandardError & { readonly cr1: number }) | null {
    if (!this.#named || this.#index.overflowed) return null;
    const error = clusteredStandardError({ [Symbol.iterator]: () => this.#clusters() });
    return error === null || error.cr1 === null ? null : { ...error, cr1: error.cr1 };
  }

  *#clusters(): Generator<ClusterSum> {
    for (let index = 0; index < this.#counts.length; index++) {
      const count = this.#counts[index] as number;
      if (count > 0) yield { sum: this.#sums[index] as number, count };
    }
    for (const [sum, times] of this.#alone) yield { sum, count: 1, times };
  }

  #grow(index: number): void {
    const size = Math.max(index + 1, this.#sums.length * 2);
    const [sums, counts] = [this.#sums, this.#counts];
    this.#sums = new Float64Array(size);
    this.#counts = new Int32Array(size);
    this.#sums.set(sums);
    this.#counts.set(counts);
  }
}
