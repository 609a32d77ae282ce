import { DOMAINS, domainHash } from './domain-hash.js';

/**
 * The identity of the generation settings that a run really used: of the suite and the run's override together, or of a
 * single example. Two runs are comparable only when these are equal.
 *
 * @param effective settings after all overrides, every default filled.
 * @returns `sha256:…` under domain kiln.eval-effective-generation.v1.
 */
export function generationHash(effective: unknown): string {
  return domainHash(DOMAINS.effectiveGeneration, effective);
}
