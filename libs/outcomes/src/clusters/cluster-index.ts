/** Memory for names is bounded by this, in characters, each name counted with its place in the index. */
const MAX_CHARACTERS = 2 ** 27;
/** About what an entry takes besides its name. */
const ENTRY_CHARACTERS = 64;

/**
 * Names of clusters as numbers from 0, so that the names of a job stand in memory once, and each of its runs and
 * comparisons keeps a few numbers a cluster. There may be as many clusters as examples: where the names exceed 128 Mi
 * characters (a million clusters with names of 64) the index overflows, and clustered errors are unknown, never wrong.
 */
export class ClusterIndex {
  readonly #indices = new Map<string, number>();
  #characters = 0;
  #overflowed = false;

  /** Whether a name was refused. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  /** The number of a name, the same one each time; `null` when there is no room for another name. */
  indexOf(name: string): number | null {
    const known = this.#indices.get(name);
    if (known !== undefined) return known;
    const characters = this.#characters + name.length + ENTRY_CHARACTERS;
    if (characters > MAX_CHARACTERS) {
      this.#overflowed = true;
      return null;
    }
    this.#characters = characters;
    const index = this.#indices.size;
    this.#indices.set(name, index);
    return index;
  }
}
