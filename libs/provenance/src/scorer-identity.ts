import { type Scorer } from '@kiln/contracts';
import { DOMAINS, domainHash } from './domain-hash.js';

/** What a score depends on besides the trace and the scorer's configuration. */
export interface ScorerIdentityParts {
  /** Of the scorer and its children, in order: raised when its code gives other scores for the same configuration. */
  readonly versions?: readonly number[];
  /** Judges only: the frozen target that judges, template, repetitions and seed. */
  readonly judge?: unknown;
}

/**
 * The identity under which a score is stored once per trace. It covers everything that could change the score, so a
 * rescore under another configuration or version is another row and never overwrites.
 *
 * @returns `sha256:…` under domain kiln.eval-scorer.v1.
 */
export function scorerIdentity(scorer: Scorer, { versions = [1], judge = null }: ScorerIdentityParts = {}): string {
  return domainHash(DOMAINS.scorer, { scorer, versions, judge });
}
