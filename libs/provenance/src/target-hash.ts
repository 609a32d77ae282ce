import { type FrozenTarget } from '@kiln/contracts';
import { DOMAINS, domainHash } from './domain-hash.js';

/**
 * The identity of what is evaluated: every field of the frozen target, so a changed weight, adapter, tokenizer, template
 * or price makes another target.
 *
 * @returns `sha256:…` under domain kiln.eval-target.v1.
 */
export function targetHash(frozen: FrozenTarget): string {
  return domainHash(DOMAINS.target, frozen);
}
