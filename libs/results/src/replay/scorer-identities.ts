import { type Database, readScorers, type RegisteredIdentity } from '@kiln/database';

/** Scorers by their numbers, each read once. */
export class ScorerIdentities {
  readonly #known = new Map<number, RegisteredIdentity>();

  constructor(private readonly db: Database) {}

  /** Makes these ready for {@link get}. */
  async load(ids: Iterable<number>): Promise<void> {
    const missing = [...new Set(ids)].filter((id) => !this.#known.has(id));
    if (missing.length === 0) return;
    for (const [id, scorer] of await readScorers(this.db, missing)) this.#known.set(id, scorer);
  }

  get(id: number): RegisteredIdentity {
    const scorer = this.#known.get(id);
    if (scorer === undefined) throw new Error(`an outcome refers to scorer ${id}, which is not there`);
    return scorer;
  }
}
