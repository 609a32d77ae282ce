import { childScorers, type Scorer } from '@kiln/contracts';
import { scorerDefinition } from './find-definition.js';

/** The versions of a scorer and its children, in order: a part of the scorer's identity. */
export function scorerVersions(scorer: Scorer): number[] {
  return [scorerDefinition(scorer).version, ...childScorers(scorer).flatMap(scorerVersions)];
}
