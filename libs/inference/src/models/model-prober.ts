import { type FrozenModelTarget, type ModelPublication } from '@kiln/contracts';
import { targetHash } from '@kiln/provenance';
import { EngineCrashed } from '../engine/engine-crashed.js';
import { type ExecutionProvenance, type Generator } from '../generator.js';
import { publicationTarget } from './publication-target.js';
import { type ModelScan, type ScannedModel } from './scan-models.js';

/** A scan whose models were loaded once, so that it is known what executes them. */
export interface ProbedScan extends Pick<ModelScan, 'rejected'> {
  models: ModelPublication[];
}

/**
 * Completes scans with what executes each model, which only the engine can say: it finds out when it loads it. Published and stored with
 * traces is then the same. Remembers what it was told while a model's files stay the same.
 */
export class ModelProber {
  readonly #known = new Map<string, ExecutionProvenance>();
  /** Models that ended the engine, with how: at each scan they would take with them what it is decoding. */
  readonly #fatal = new Map<string, EngineCrashed>();

  /** @param onProbe called before a model is loaded, which takes as long as reading it and some twenty steps. */
  constructor(
    private readonly engine: Pick<Generator, 'load' | 'unload'>,
    private readonly onProbe: (model: string) => void,
  ) {}

  /**
   * One after the other. A model that cannot be loaded is rejected, and is tried again with the next scan; one that ends the engine is
   * tried once more at once, because the engine may have ended for another reason, and then only when its files change.
   */
  async complete({ models, rejected }: ModelScan): Promise<ProbedScan> {
    const probed: ProbedScan = { models: [], rejected: [...rejected] };
    for (const scanned of models) {
      try {
        probed.models.push({ ...scanned, execution_provenance: await this.#executionOf(scanned) });
      } catch (error) {
        probed.rejected.push({ path: scanned.model, reason: (error as Error).message });
      }
    }
    return probed;
  }

  async #executionOf(scanned: ScannedModel): Promise<ExecutionProvenance> {
    const target = publicationTarget(scanned, null);
    // Adapters decide what is measured.
    const key = `${targetHash(target)} ${scanned.adapters.length > 0}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const crash = this.#fatal.get(key);
    if (crash !== undefined) throw crash;
    this.onProbe(scanned.model);
    try {
      const provenance = await this.#loadAgainAfterCrash(target);
      this.#known.set(key, provenance);
      return provenance;
    } catch (error) {
      if (error instanceof EngineCrashed) this.#fatal.set(key, error);
      throw error;
    }
  }

  async #loadAgainAfterCrash(target: FrozenModelTarget): Promise<ExecutionProvenance> {
    try {
      return await this.#load(target);
    } catch (error) {
      if (!(error instanceof EngineCrashed)) throw error;
      return this.#load(target);
    }
  }

  /** Given up at once: most models of a directory are not the ones that the next job asks for. */
  async #load(target: FrozenModelTarget): Promise<ExecutionProvenance> {
    const { provenance } = await this.engine.load(target);
    await this.engine.unload(target);
    return provenance;
  }
}
