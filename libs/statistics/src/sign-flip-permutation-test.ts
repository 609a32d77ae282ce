import { allOrNothingDraws } from './all-or-nothing-draws.js';
import { ExactSum } from './exact-sum.js';
import { mulberry32Bits } from './mulberry32.js';

/** Up to this many moved cases all 2^m sign patterns are counted; above, patterns are sampled. */
const EXACT_LIMIT = 20;
const DRAWS = 100_000;
/** A pattern's sum counts as extreme within this of the observed one: decimal fractions do not add exactly. */
const TOLERANCE = 1e-9;

export interface SignFlipResult {
  /** Two-sided p in (0, 1]. */
  readonly p: number;
  /** `none`: no case moved (p = 1); `exact`: all patterns; `sampled`: 100,000 seeded draws. */
  readonly method: 'none' | 'exact' | 'sampled';
  /** Cases whose difference is not 0; only they carry evidence. */
  readonly moved: number;
  /** Mean difference over all cases, unmoved ones too. */
  readonly mean: number;
}

/**
 * Sign-flip permutation test of paired differences (candidate − baseline, one per example).
 *
 * Under the null each difference is as likely to have had the other sign. The statistic is |Σ d|; p is the share of
 * sign patterns at least as extreme as the observed one. Unmoved cases add nothing to any pattern.
 *   m ≤ 20 moved:  p = extreme / 2^m over all patterns
 *   m > 20:        p = (extreme + 1) / (N + 1), N = 100,000 draws of mulberry32 seeded with m; never 0
 * The differences are sorted first, so the result does not depend on the order of the cases.
 *
 * @param deltas finite differences; zeros may be present.
 * @param options.unmoved how many further cases with difference 0 are not listed; they count in `mean` only.
 * @returns `null` when there is no case at all.
 * @throws RangeError for a difference that is not finite.
 * Source: contracts §5.4; E. J. G. Pitman, JRSS Supplement 4 (1937) 119–130. +1 correction: Phipson & Smyth (2010).
 * @example signFlipPermutationTest([1, 1, 1, 1, 1, 1, 0, 0])?.p // 2/64 = 0.03125
 */
export function signFlipPermutationTest(deltas: ArrayLike<number>, options: { readonly unmoved?: number } = {}): SignFlipResult | null {
  const cases = deltas.length + (options.unmoved ?? 0);
  if (cases === 0) return null;
  const moved = Float64Array.from(deltas)
    .filter((delta) => delta !== 0)
    .sort();
  if (moved.length === 0) return { p: 1, method: 'none', moved: 0, mean: 0 };
  const sum = new ExactSum();
  for (const delta of moved) sum.add(delta);
  const total = sum.value;
  const threshold = Math.abs(total) - TOLERANCE;
  const exact = moved.length <= EXACT_LIMIT;
  return {
    p: exact ? exactShare(moved, threshold) : sampledShare(moved, threshold),
    method: exact ? 'exact' : 'sampled',
    moved: moved.length,
    mean: total / cases,
  };
}

/** Counts over two half tables: 2^m additions, none of which builds on another, so rounding does not pile up. */
function exactShare(moved: Float64Array, threshold: number): number {
  const middle = moved.length >> 1;
  const left = patternSums(moved.subarray(0, middle));
  const right = patternSums(moved.subarray(middle));
  let extreme = 0;
  for (const a of left) {
    for (let index = 0; index < right.length; index++) {
      if (Math.abs(a + (right[index] as number)) >= threshold) extreme++;
    }
  }
  return extreme / 2 ** moved.length;
}

/** The sum under each of the 2^n sign patterns; bit i of the index set means that value i keeps its sign. */
function patternSums(values: Float64Array): Float64Array {
  const sums = new Float64Array(2 ** values.length);
  for (let bit = 0; bit < values.length; bit++) {
    const value = values[bit] as number;
    const filled = 2 ** bit;
    for (let pattern = 0; pattern < filled; pattern++) {
      sums[filled + pattern] = (sums[pattern] as number) + value;
      sums[pattern] = (sums[pattern] as number) - value;
    }
  }
  return sums;
}

/**
 * All draws advance together, 32 cases at a time: each random word gives 32 signs, looked up as four bytes in tables of
 * eight cases. Four table reads then replace 32 additions, and tables and sums stay in the processor's cache.
 */
function sampledShare(moved: Float64Array, threshold: number): number {
  const size = Math.abs(moved[0] as number);
  if (moved.every((delta) => Math.abs(delta) === size)) {
    const negatives = moved.findIndex((delta) => delta > 0);
    const extreme = allOrNothingDraws(DRAWS, moved.length, negatives < 0 ? moved.length : negatives, threshold / size);
    return (extreme + 1) / (DRAWS + 1);
  }
  const nextWord = mulberry32Bits(moved.length);
  const sums = new Float64Array(DRAWS);
  for (let start = 0; start < moved.length; start += 32) {
    const [t0, t1, t2, t3] = [0, 8, 16, 24].map((offset) => patternSumsOfEight(moved.subarray(start + offset, start + offset + 8))) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    for (let draw = 0; draw < DRAWS; draw++) {
      const word = nextWord();
      sums[draw] =
        (sums[draw] as number) +
        (t0[word & 255] as number) +
        (t1[(word >>> 8) & 255] as number) +
        (t2[(word >>> 16) & 255] as number) +
        (t3[word >>> 24] as number);
    }
  }
  let extreme = 0;
  for (const sum of sums) if (Math.abs(sum) >= threshold) extreme++;
  return (extreme + 1) / (DRAWS + 1);
}

/** `patternSums` of up to eight values, the missing ones 0: always 256 entries, so that any byte is an index. */
function patternSumsOfEight(values: Float64Array): Float64Array {
  const padded = new Float64Array(8);
  padded.set(values);
  return patternSums(padded);
}
