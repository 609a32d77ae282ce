import { type FrozenTarget } from '@kiln/contracts';
import { type Database, registerProvenance } from '@kiln/database';
import { type Generator } from '@kiln/inference';
import { DOMAINS, domainHash, executionProvenanceRecord, targetHash } from '@kiln/provenance';
import { OncePerKey } from './once-per-key.js';

/** Loading again what was forgotten is cheap: the engine keeps it. */
const MAX_TARGETS = 4096;

/** What executes a target: its digest, and its number in the database. */
export interface LoadedProvenance {
  provenanceDigest: string;
  provenanceId: number;
}

/**
 * Loads targets into the engine once and knows the number of what executes them. A new child of the engine loads, and so
 * verifies, by itself; what a child has in memory stays what was verified, and files that it reads later are watched by it.
 */
export class LoadedTargets {
  readonly #loading = new OncePerKey<LoadedProvenance>(MAX_TARGETS);

  constructor(
    private readonly db: Database,
    private readonly engine: Generator,
  ) {}

  /** @throws KilnError `target_changed` when the files no longer match the digests that the job was admitted with */
  load(target: FrozenTarget): Promise<LoadedProvenance> {
    return this.#loading.get(targetHash(target), () => this.#load(target));
  }

  async #load(target: FrozenTarget): Promise<LoadedProvenance> {
    const { provenance } = await this.engine.load(target);
    const body = executionProvenanceRecord(provenance);
    // Over the incidental facts, too: each worker's execution is stored as it is.
    const digest = domainHash(DOMAINS.executionProvenance, body);
    return { provenanceDigest: digest, provenanceId: await registerProvenance(this.db, { digest, body }) };
  }
}
