import { type Scorer, type ScorerOf } from '@kiln/contracts';
import { EXECUTED_SCORERS } from './executed-scorers.js';
import { INLINE_SCORERS } from './inline-scorers.js';
import { type ExecutedDefinition, type InlineDefinition } from './scorer-definition.js';
import { type ExecutedKind, type InlineKind, isExecuted } from './scorer-kinds.js';

/** Each table holds a definition for every kind, which the compiler checks; that it fits the scorer it cannot know. */
export function inlineDefinition({ kind }: ScorerOf<InlineKind>): InlineDefinition<Scorer> {
  return INLINE_SCORERS[kind] as unknown as InlineDefinition<Scorer>;
}

export function executedDefinition({ kind }: ScorerOf<ExecutedKind>): ExecutedDefinition<Scorer> {
  return EXECUTED_SCORERS[kind] as unknown as ExecutedDefinition<Scorer>;
}

/** What both sorts of definitions have. */
export function scorerDefinition(scorer: Scorer): Pick<InlineDefinition<Scorer>, 'version' | 'check'> {
  return isExecuted(scorer) ? executedDefinition(scorer) : inlineDefinition(scorer);
}
