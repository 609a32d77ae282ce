import { type Example } from '@kiln/contracts';
import { DOMAINS, domainHash } from './domain-hash.js';

/**
 * The identity of an example's content. Equal content is stored once, whatever suite it stands in.
 *
 * Top-level members that are null are left out: null means that nothing was written there, and so a field that a later
 * version adds does not change the hash of examples that do not use it. Lists are kept even when empty, because
 * `tools: []` (no tools) is not `tools: null` (the suite's).
 *
 * @param example parsed, id resolved.
 * @returns `sha256:…` under domain kiln.eval-example.v1.
 */
export function exampleContentHash(example: Example): string {
  return domainHash(DOMAINS.example, Object.fromEntries(Object.entries(example).filter(([, member]) => member !== null)));
}
