import { type Scorer } from '@kiln/contracts';
import { type Database, registerScorer } from '@kiln/database';
import { canonicalJson, scorerIdentity } from '@kiln/provenance';
import { judgeIdentity as identityOfJudges, type Judging } from '@kiln/running';
import { compileScorer, type CompiledScorer, isInlineScorer, scorerVersions } from '@kiln/scoring';
import { OncePerKey } from './once-per-key.js';

export interface RegisteredScorer {
  id: number;
  scorer: Scorer;
  /** Null for a scorer that asks a judge or runs code. */
  inline: CompiledScorer | null;
  /** Hashes of the targets that judge, in order; null when none does. */
  judgeIdentity: string | null;
}

/** More different scorers than any suite has; beyond that the oldest are forgotten. */
const MAX_SCORERS = 4096;

/** Scorers compiled once and registered once per process, by their identity. */
export class ScorerCache {
  readonly #byConfig = new OncePerKey<RegisteredScorer>(MAX_SCORERS);
  readonly #keys = new WeakMap<Scorer, string>();

  constructor(private readonly db: Database) {}

  /** @param judging of the run; its judges are a part of the identity of a scorer that asks them */
  get(scorer: Scorer, judging: Judging | null): Promise<RegisteredScorer> {
    const judgeIdentity = identityOfJudges(scorer, judging);
    const key = judgeIdentity === null ? this.#keyOf(scorer) : `${this.#keyOf(scorer)}\n${judgeIdentity}`;
    return this.#byConfig.get(key, () => this.#make(scorer, judgeIdentity));
  }

  #keyOf(scorer: Scorer): string {
    let key = this.#keys.get(scorer);
    if (key === undefined) this.#keys.set(scorer, (key = canonicalJson(scorer)));
    return key;
  }

  async #make(scorer: Scorer, judgeIdentity: string | null): Promise<RegisteredScorer> {
    const identity = scorerIdentity(scorer, { versions: scorerVersions(scorer), judge: judgeIdentity });
    const id = await registerScorer(this.db, { identity, kind: scorer.kind, config: scorer });
    return { id, scorer, inline: isInlineScorer(scorer) ? compileScorer(scorer) : null, judgeIdentity };
  }
}
