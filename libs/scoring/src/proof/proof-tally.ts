import { SCORER_PROOF_VERSION, type ScorerProof, type ScorerProofGroup, type ScorerProofRow } from '@kiln/contracts';
import { excerpt } from '../excerpt.js';
import { type Mutant } from './mutant.js';

const UNTRIED = { status: 'nothing_to_compare', reason: 'no example with a right answer was tried' } as const;

type Known = Omit<ScorerProofGroup, 'examples_tried' | 'rows'>;

/** Counts how mutants were graded, group by group. */
export class ProofTally {
  readonly #examples: number;
  readonly #groups: { known: Known; tried: Set<string>; rows: Map<string, ScorerProofRow> }[];

  /** @param examples of the whole suite */
  constructor(examples: number, groups: readonly Known[]) {
    this.#examples = examples;
    this.#groups = groups.map((known) => ({ known, tried: new Set(), rows: new Map() }));
  }

  /** Counts one mutant of an example in the group of index `group`. */
  count(group: number, exampleId: string, mutant: Mutant, passed: boolean): void {
    const { tried, rows } = this.#groups[group] ?? {};
    if (!tried || !rows) throw new RangeError(`no group ${group}`);
    tried.add(exampleId);
    const { kind, duty, reason, text } = mutant;
    const key = `${kind} ${duty}`;
    const row = rows.get(key) ?? { mutant: kind, duty, reason, tried: 0, passed: 0, wrong: 0, first_wrong: null };
    rows.set(key, row);
    row.tried += 1;
    if (passed) row.passed += 1;
    if (duty === 'either' || passed === (duty === 'pass')) return;
    row.wrong += 1;
    row.first_wrong ??= { example_id: exampleId, text: excerpt(text) };
  }

  /** What was counted so far. */
  proof(): ScorerProof {
    const groups = this.#groups.map(({ known, tried, rows }) => ({
      ...known,
      ...(known.status === 'proved' && tried.size === 0 ? UNTRIED : {}),
      examples_tried: tried.size,
      rows: [...rows.values()],
    }));
    const all = groups.flatMap(({ rows }) => rows);
    const wrong = (duty: ScorerProofRow['duty']): number => all.reduce((sum, row) => sum + (row.duty === duty ? row.wrong : 0), 0);
    return {
      version: SCORER_PROOF_VERSION,
      examples: this.#examples,
      examples_tried: groups.reduce((sum, group) => sum + group.examples_tried, 0),
      false_accepts: wrong('not_pass'),
      false_rejects: wrong('pass'),
      groups,
    };
  }
}
