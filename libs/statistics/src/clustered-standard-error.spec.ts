import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClusterSum, clusteredStandardError } from './clustered-standard-error.js';
import vectors from './vectors/stats.json' with { type: 'json' };

const grouped = (scores: readonly number[], clusters: readonly (string | number)[]): ClusterSum[] => {
  const groups = new Map<string | number, number[]>();
  scores.forEach((score, index) => {
    const cluster = clusters[index] as string | number;
    groups.set(cluster, [...(groups.get(cluster) ?? []), score]);
  });
  return [...groups.values()].map((group) => ({ sum: group.reduce((a, b) => a + b, 0), count: group.length }));
};
const apart = (scores: readonly number[]): ClusterSum[] => scores.map((sum) => ({ sum, count: 1 }));

describe('clusteredStandardError', () => {
  const given = vectors.clustered_se.cases.filter(({ scores }) => scores !== null);

  it.each(given)('agrees with inspect_ai and statsmodels: $name', (vector) => {
    const scores = vector.scores as number[];
    const clustered = clusteredStandardError(grouped(scores, vector.cluster as (string | number)[]));
    const plain = clusteredStandardError(apart(scores));
    expect(clustered?.clusters).toBe(vector.clusters);
    expect(clustered?.cr0).toBeCloseTo(vector.se_clustered_cr0, 14);
    if (vector.se_clustered_cr1 === null) expect(clustered?.cr1).toBeNull();
    else expect(clustered?.cr1).toBeCloseTo(vector.se_clustered_cr1, 14);
    // Where every score is its own cluster these are the usual standard errors.
    expect(plain?.cr1).toBeCloseTo(vector.se_clt_ddof1, 14);
    expect(plain?.cr0).toBeCloseTo(vector.se_clt_ddof0, 14);
    // Miller's variant mixes the two: the variance with n − 1 and the cross terms without a correction.
    const [usual, without, cr0] = [plain?.cr1, plain?.cr0, clustered?.cr0] as [number, number, number];
    expect(Math.sqrt(usual ** 2 + cr0 ** 2 - without ** 2)).toBeCloseTo(vector.se_clustered_miller, 13);
  });

  it('shows four clusters where twenty equal scores pretend to be a sample', () => {
    const scores = [1, 1, 0, 0].flatMap((score) => [score, score, score, score, score]);
    const clusters = scores.map((_, index) => Math.floor(index / 5));
    expect(clusteredStandardError(apart(scores))?.cr1).toBeCloseTo(0.1147, 4);
    expect(clusteredStandardError(grouped(scores, clusters))).toMatchObject({ cr0: 0.25, cr1: expect.closeTo(0.2887, 4) });
  });

  it('says nothing of no cluster and no spread of one', () => {
    expect(clusteredStandardError([])).toBeNull();
    expect(clusteredStandardError([{ sum: 2, count: 3 }])).toEqual({ clusters: 1, cr0: 0, cr1: null });
  });

  it('takes equal clusters together, in any order', () => {
    const cluster = fc.record({
      sum: fc.integer({ min: 0, max: 5 }),
      count: fc.integer({ min: 1, max: 9 }),
      times: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(cluster, { minLength: 1, maxLength: 12 }), (clusters) => {
        const together = clusteredStandardError(clusters);
        const each = clusteredStandardError(
          clusters.flatMap(({ sum, count, times }) => Array.from({ length: times }, () => ({ sum, count }))),
        );
        expect(clusteredStandardError(clusters.toReversed())).toEqual(together);
        expect(together?.clusters).toBe(each?.clusters);
        expect(together?.cr0).toBeCloseTo(each?.cr0 as number, 13);
      }),
    );
  });

  it('refuses a cluster without scores', () => {
    expect(() => clusteredStandardError([{ sum: 0, count: 0 }])).toThrow(RangeError);
    expect(() => clusteredStandardError([{ sum: Number.NaN, count: 1 }])).toThrow(RangeError);
  });
});
