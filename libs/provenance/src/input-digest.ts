import { DOMAINS, domainHash } from './domain-hash.js';
import { roundEvidence } from './round-evidence.js';

/**
 * The identity of everything that a verdict was computed from. There is one verdict per comparison, policy version and
 * input digest, so evaluating again changes nothing, and other rows or thresholds are visibly another input.
 *
 * @param input JSON; fractions are rounded to 12 significant digits first.
 * @returns `sha256:…` under domain kiln.verdict-input.v1.
 */
export function inputDigest(input: unknown): string {
  return domainHash(DOMAINS.verdictInput, roundEvidence(input));
}
