import { childScorers, KilnError, type Scorer, type ScorerKind } from '@kiln/contracts';
import { EXECUTED_SCORERS } from './executed-scorers.js';
import { INLINE_SCORERS } from './inline-scorers.js';
import { type ExecutedDefinition, type InlineDefinition } from './scorer-definition.js';

/** The kinds that can be compiled. Registration refuses suites with others. */
export const scorerKindsServed = [...Object.keys(INLINE_SCORERS), ...Object.keys(EXECUTED_SCORERS)] as readonly ScorerKind[];

/** A judge is asked: its model must be known when a job is admitted. */
export function asksJudge(scorer: Scorer): boolean {
  return JUDGES.has(scorer.kind) || childScorers(scorer).some(asksJudge);
}

/** Code is run: a sandbox must be there. */
export function runsCode(scorer: Scorer): boolean {
  return CODE_RUNNERS.has(scorer.kind) || childScorers(scorer).some(runsCode);
}

const JUDGES: ReadonlySet<ScorerKind> = new Set(['llm_judge', 'judge', 'pairwise_judge']);
const CODE_RUNNERS: ReadonlySet<ScorerKind> = new Set(['python_doctest', 'code_eval', 'bash']);

/**
 * Whether the scorer is pure and cheap enough to run beside the write of the trace. Judges and scorers that execute code
 * need shards of their own; a composite is inline when all its children are.
 */
export function isInlineScorer(scorer: Scorer): boolean {
  return !asksJudge(scorer) && !runsCode(scorer);
}

/** @throws KilnError for a kind that is not inline, or not served. */
export function inlineDefinition(scorer: Scorer, path = 'scorer'): InlineDefinition<Scorer> {
  const definition = Object.hasOwn(INLINE_SCORERS, scorer.kind) ? Reflect.get(INLINE_SCORERS, scorer.kind) : undefined;
  if (definition === undefined) throw notServed(scorer.kind, `${path}.kind`);
  return definition;
}

/** @throws KilnError for a kind that is not served. */
export function executedDefinition(scorer: Scorer, path = 'scorer'): ExecutedDefinition<Scorer> {
  const definition = Object.hasOwn(EXECUTED_SCORERS, scorer.kind) ? Reflect.get(EXECUTED_SCORERS, scorer.kind) : undefined;
  if (definition === undefined) throw notServed(scorer.kind, `${path}.kind`);
  return definition;
}

/** Whether the scorer itself, children aside, asks a judge or runs code. */
export function isExecuted({ kind }: Scorer): boolean {
  return JUDGES.has(kind) || CODE_RUNNERS.has(kind);
}

/** The refusal of a scorer kind that the contract knows and this version cannot run. */
export function notServed(kind: string, path = 'scorer.kind'): KilnError {
  return new KilnError('eval_invalid_request', `${path}: scorer "${kind}" is not served by this version`, {
    path,
    hint: `Use one of ${scorerKindsServed.join(', ')}.`,
  });
}
