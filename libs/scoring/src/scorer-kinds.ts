import { childScorers, type Scorer, type ScorerKind } from '@kiln/contracts';

/** The kinds that `compileScorer` compiles. Registration refuses suites with others. */
export const scorerKindsServed = [
  'exact_match',
  'contains',
  'regex',
  'numeric_tolerance',
  'multiple_choice',
  'json_validity',
] as const satisfies readonly ScorerKind[];

export type ServedScorerKind = (typeof scorerKindsServed)[number];

export function isServed(scorer: Scorer): scorer is Extract<Scorer, { kind: ServedScorerKind }> {
  return scorerKindsServed.some((kind) => kind === scorer.kind);
}

/**
 * Whether the scorer is pure and cheap enough to run beside the write of the trace. Judges and scorers that execute code
 * need shards of their own; a composite is inline when all its children are.
 */
export function isInlineScorer(scorer: Scorer): boolean {
  return scorer.kind !== 'llm_judge' && scorer.kind !== 'python_doctest' && childScorers(scorer).every(isInlineScorer);
}
