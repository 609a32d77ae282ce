import { type AllScorer, type AnyScorer, type Scorer, type Score } from '@kiln/contracts';
import { invalid } from './score-results.js';
import { type ScorerCheck } from './scorer-definition.js';
import { type CompiledScorer } from './scoring-input.js';

/** What the children of a composite came to, as one score. */
export type CombineScores = (scores: readonly Score[]) => Score;

/**
 * `all`: the mean of the scores; passes when every child passes. An `error` of a child is one of the whole, because the answer
 * was not measured in full. Skipped children do not count; when all are skipped, so is the composite. No children: `invalid`.
 */
export const combineAll: CombineScores = (scores) => {
  const counted = scores.filter(({ kind }) => kind !== 'skipped');
  if (counted.length === 0) return uncounted(scores);
  const mean = counted.reduce((sum, { score }) => sum + score, 0) / counted.length;
  const kinds = new Set(counted.map(({ kind }) => kind));
  if (kinds.has('error')) return { kind: 'error', score: 0, detail: childDetail(scores) };
  const kind = kinds.has('fail') ? 'fail' : kinds.has('invalid') ? 'invalid' : 'pass';
  return { kind, score: mean, detail: childDetail(scores) };
};

/**
 * `any`: the best of the scores; passes when one child passes. When none does, a child's `error` is one of the whole: that child
 * might have passed. Skipped children do not count.
 */
export const combineAny: CombineScores = (scores) => {
  const counted = scores.filter(({ kind }) => kind !== 'skipped');
  if (counted.length === 0) return uncounted(scores);
  const kinds = new Set(counted.map(({ kind }) => kind));
  const best = Math.max(...counted.map(({ score }) => score));
  if (kinds.has('pass')) return { kind: 'pass', score: best, detail: childDetail(scores) };
  if (kinds.has('error')) return { kind: 'error', score: 0, detail: childDetail(scores) };
  return { kind: kinds.has('fail') ? 'fail' : 'invalid', score: best, detail: childDetail(scores) };
};

export function combinerOf({ kind }: AllScorer | AnyScorer): CombineScores {
  return kind === 'all' ? combineAll : combineAny;
}

export function compileComposite(scorer: AllScorer | AnyScorer, compileChild: (child: Scorer) => CompiledScorer): CompiledScorer {
  const children = scorer.scorers.map(compileChild);
  const combine = combinerOf(scorer);
  return (input) => combine(children.map((child) => child(input)));
}

export function checkComposite(
  { scorers }: AllScorer | AnyScorer,
  path: string,
  checkChild: (child: Scorer, path: string) => ScorerCheck,
): ScorerCheck {
  const checks = scorers.map((child, index) => checkChild(child, `${path}.scorers[${index}]`));
  return (example, at) => checks.forEach((check) => check(example, at));
}

function uncounted(scores: readonly Score[]): Score {
  return scores.length === 0 ? invalid('no_scorers') : { kind: 'skipped', score: 0, detail: childDetail(scores) };
}

/** How each child scored, in order. */
function childDetail(scores: readonly Score[]): Score['detail'] {
  return { scores: scores.map(({ kind, score, detail }) => ({ kind, score, detail })) };
}
