import { type ScorerKind, type ScorerOf } from '@kiln/contracts';
import { type ExecutedDefinition } from './scorer-definition.js';

/** Scorers that ask a judge or run code: they work in `score` shards of their own. */
export const EXECUTED_SCORERS = {} satisfies { [K in ScorerKind]?: ExecutedDefinition<ScorerOf<K>> };
