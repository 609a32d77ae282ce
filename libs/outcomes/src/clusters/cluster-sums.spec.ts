import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClusterIndex } from './cluster-index.js';
import { ClusterSums } from './cluster-sums.js';

const errorOf = (values: readonly (readonly [number, string | null])[], index = new ClusterIndex()) => {
  const sums = new ClusterSums(index);
  for (const [value, cluster] of values) sums.add(value, cluster);
  return sums.standardError();
};

describe('ClusterSums', () => {
  it('sees four clusters in twenty equal scores', () => {
    const values = [1, 1, 0, 0].flatMap((value, cluster) => Array.from({ length: 5 }, () => [value, `c${cluster}`] as const));
    expect(errorOf(values)).toMatchObject({ clusters: 4, cr0: 0.25, cr1: expect.closeTo(0.28867513459481287, 14) });
  });

  it('takes values without a cluster for independent ones', () => {
    const mixed = errorOf([
      [1, null],
      [0, null],
      [1, null],
      [1, 'a'],
      [0, 'a'],
    ]);
    const spelled = errorOf([
      [1, 'x'],
      [0, 'y'],
      [1, 'z'],
      [1, 'a'],
      [0, 'a'],
    ]);
    expect(mixed).toEqual(spelled);
    expect(mixed?.clusters).toBe(4);
  });

  it('is null without a cluster, and with one', () => {
    expect(errorOf([])).toBeNull();
    expect(errorOf([[1, null]])).toBeNull();
    expect(
      errorOf([
        [1, 'a'],
        [0, 'a'],
      ]),
    ).toBeNull();
  });

  it('does not depend on the order of passes, nor on who shares the index', () => {
    const value = fc.tuple(fc.constantFrom(0, 1), fc.constantFrom(null, '__proto__', 'a', 'b', 'constructor'));
    fc.assert(
      fc.property(
        fc
          .array(value, { maxLength: 40 })
          .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        ([list, shuffled]) => {
          const shared = new ClusterIndex();
          for (const name of ['other', 'b', 'elsewhere']) shared.indexOf(name);
          expect(errorOf(shuffled, shared)).toEqual(errorOf(list));
        },
      ),
    );
  });

  it('holds as many clusters as examples', () => {
    const values = Array.from({ length: 5000 }, (_, index) => [index % 2, `c${index}`] as const);
    const error = errorOf(values);
    expect(error?.clusters).toBe(5000);
    // Every example its own cluster: the usual standard error.
    expect(error?.cr1).toBeCloseTo(Math.sqrt(0.25 / 4999), 14);
  });

  it('knows nothing once the names take too much room', () => {
    const index = new ClusterIndex();
    const [long, short] = ['x'.repeat(2 ** 26), 'y'.repeat(2 ** 26)];
    expect(index.indexOf(long)).toBe(0);
    expect(index.overflowed).toBe(false);
    expect(index.indexOf(short)).toBeNull();
    expect(index.indexOf(long)).toBe(0);
    expect(index.overflowed).toBe(true);
    expect(
      errorOf(
        [
          [1, 'a'],
          [0, 'b'],
        ],
        index,
      ),
    ).toBeNull();
  });
});
