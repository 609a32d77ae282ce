import { type Scorer } from '@kiln/contracts';
import { type Database, registerScorer } from '@kiln/database';
import { canonicalJson, scorerIdentity } from '@kiln/provenance';
import { compileScorer, type CompiledScorer } from '@kiln/scoring';
import { OncePerKey } from './once-per-key.js';

export interface RegisteredScorer {
  id: number;
  score: CompiledScorer;
}

/** More different scorers than any suite has; beyond that the oldest are forgotten. */
const MAX_SCORERS = 4096;

/** Scorers compiled once and registered once per process, by their identity. */
export class ScorerCache {
  readonly #byConfig = new OncePerKey<RegisteredScorer>(MAX_SCORERS);
  readonly #keys = new WeakMap<Scorer, string>();

  constructor(private readonly db: Database) {}

  get(scorer: Scorer): Promise<RegisteredScorer> {
    return this.#byConfig.get(this.#keyOf(scorer), () => this.#make(scorer));
  }

  #keyOf(scorer: Scorer): string {
    let key = this.#keys.get(scorer);
    if (key === undefined) this.#keys.set(scorer, (key = canonicalJson(scorer)));
    return key;
  }

  async #make(scorer: Scorer): Promise<RegisteredScorer> {
    const identity = scorerIdentity(scorer);
    const id = await registerScorer(this.db, { identity, kind: scorer.kind, config: scorer });
    return { id, score: compileScorer(scorer) };
  }
}
