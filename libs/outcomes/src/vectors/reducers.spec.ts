import { type Aggregation, type OutcomeKind } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { rows } from '../raw-rows.fixture.js';
import { reduceExample } from '../reduce-example.js';
import { type ReducerError } from '../reducer-error.js';
import vectors from './reducers-pass-at-k.json' with { type: 'json' };

const kinds = (passed: readonly unknown[]): OutcomeKind[] => passed.map((pass) => (pass ? 'pass' : 'fail'));
const counted = (n: number, passes: number): OutcomeKind[] => kinds(Array.from({ length: n }, (_, index) => index < passes));

/** The reduced score, null where the group has none, or the code of the refusal. */
function score(aggregation: Aggregation, completions: readonly (OutcomeKind | readonly [OutcomeKind, number])[]): number | string | null {
  try {
    const reduced = reduceExample(aggregation, rows(...completions));
    return reduced.kind === 'skipped' ? null : reduced.score;
  } catch (error) {
    return (error as ReducerError).code;
  }
}

describe('the vectors of reducers', () => {
  it('pass_at_k_estimate: the grid', () => {
    for (const { n, c, k, pass_at_k } of vectors.pass_at_k_grid) {
      const estimate = score({ kind: 'pass_at_k_estimate', k, n }, counted(n, c));
      // The contract ends at 128 completions.
      if (n > 128) expect(estimate).toBe('invalid_definition');
      else expect(estimate, `${c}/${n}, k=${k}`).toBeCloseTo(pass_at_k, 13);
    }
  });

  it('pass_at_k: where n = k', () => {
    const observed = vectors.pass_at_k_grid.filter(({ n, k }) => n === k && k <= 128);
    expect(observed.length).toBeGreaterThan(30);
    for (const { n, c, k, pass_at_k } of observed) expect(score({ kind: 'pass_at_k', k }, counted(n, c))).toBe(pass_at_k);
  });

  it('pass_at_k_estimate: lighteval, human-eval, the naive trap', () => {
    for (const { k, n, answers, gold, pass_at_k } of vectors.lighteval_pass_at_k) {
      const completions = kinds(answers.map((answer) => answer === gold));
      expect(score({ kind: 'pass_at_k_estimate', k, n }, completions)).toBeCloseTo(pass_at_k, 15);
    }
    expect(score({ kind: 'pass_at_k_estimate', k: 1, n: 6 }, counted(6, 3))).toBe(vectors.human_eval.pass_at_1);
    for (const { n, c, k, unbiased } of vectors.naive_trap) {
      expect(score({ kind: 'pass_at_k_estimate', k, n }, counted(n, c))).toBeCloseTo(unbiased, 14);
    }
  });

  it('inspect_ai: mean and pass@k of graded scores', () => {
    for (const { scores, ...expected } of vectors.reducer_cases) {
      // Scores up to 8: ours end at 1.
      const graded = scores.map((value): [OutcomeKind, number] => [value >= 1 ? 'pass' : 'fail', value / 8]);
      expect(score({ kind: 'mean_at_k', k: 6 }, graded)).toBe(expected.mean / 8);
      for (const [k, value] of [
        [2, expected.pass_at_2],
        [3, expected.pass_at_3_threshold2],
        [5, expected.pass_at_5],
      ] as const) {
        expect(score({ kind: 'pass_at_k_estimate', k, n: 6 }, graded)).toBeCloseTo(value, 15);
      }
    }
  });

  it('majority_at_k: strictly more than half, odd k, whole groups', () => {
    for (const { passes, majority_pass, note } of vectors.majority_at_k) {
      const completions = kinds(passes.filter((pass) => pass !== null));
      const reduced = score({ kind: 'majority_at_k', k: passes.length }, completions);
      if (majority_pass !== null) expect(reduced, note).toBe(majority_pass);
      else if (passes.includes(0.5)) expect(reduced, 'the scorer, not the reducer, says what 0.5 is').toBe(1);
      else expect(reduced, note).toBe(passes.length % 2 === 0 ? 'invalid_definition' : 'completion_count');
    }
  });

  it('majority_at_k is no vote over answers', () => {
    for (const { answers, gold, contract_majority_pass } of vectors.majority_vs_plurality) {
      const completions = kinds(answers.map((answer) => answer === gold));
      expect(score({ kind: 'majority_at_k', k: answers.length }, completions), answers.join()).toBe(contract_majority_pass);
    }
  });

  it('completions that were not scored: no number of fewer than k, the mean of the rest, nothing of nothing', () => {
    const [tooFew, , none, mean, nothing] = vectors.missing_or_invalid.map(({ scores, expected }) => ({
      completions: scores.map((value): OutcomeKind => (value === null ? 'skipped' : value === 1 || value === 'C' ? 'pass' : 'fail')),
      expected,
    })) as { completions: OutcomeKind[]; expected: number | null }[];
    expect(score({ kind: 'pass_at_k_estimate', k: 3, n: 4 }, tooFew!.completions)).toBe(tooFew!.expected);
    expect(score({ kind: 'pass_at_k_estimate', k: 3, n: 4 }, none!.completions)).toBe(none!.expected);
    expect(score({ kind: 'mean_at_k', k: 6 }, mean!.completions)).toBe(mean!.expected);
    expect(score({ kind: 'mean_at_k', k: 3 }, nothing!.completions)).toBe(nothing!.expected);
  });
});
