import { childScorers, type Scorer } from '@kiln/contracts';
import { executedDefinition, inlineDefinition, isExecuted } from './scorer-kinds.js';

/** The versions of a scorer and its children, in order: a part of the scorer's identity. */
export function scorerVersions(scorer: Scorer): number[] {
  const { version } = isExecuted(scorer) ? executedDefinition(scorer) : inlineDefinition(scorer);
  return [version, ...childScorers(scorer).flatMap(scorerVersions)];
}
