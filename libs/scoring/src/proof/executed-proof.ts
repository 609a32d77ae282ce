import { type Generation, type OutcomeKind, type Scorer, type ScorerProof, type SuiteInput } from '@kiln/contracts';
import { judgedQuestion } from './judged-question.js';
import { type Mutant } from './mutant.js';
import { GroupMutants, groupHead, unprovable } from './plan-proof.js';
import { type ProofSample } from './proof-sample.js';
import { ProofTally } from './proof-tally.js';

/** One answer that is to be graded. */
interface PosedAnswer {
  readonly group: number;
  readonly exampleId: string;
  readonly mutant: Mutant;
}

type WrittenExample = SuiteInput['examples'][number];

/** Words of the longest mutant, and then some. */
const MAX_TOKENS = 16_384;

/**
 * The proof of judges and of scorers that run code: a suite in which every mutant is an example of its own, whose only
 * message is the mutant. A target that answers with the last user message gives it to the real scorers.
 */
export class ExecutedProof {
  readonly #posed = new Map<string, PosedAnswer>();
  readonly #examples: WrittenExample[] = [];
  readonly #tally: ProofTally;

  constructor(sample: ProofSample, identityOf: (scorer: Scorer) => string) {
    const groups = sample.groups.filter(({ inline }) => !inline);
    this.#tally = new ProofTally(
      sample.examples,
      groups.map((group) => {
        const reason = unprovable(group);
        return groupHead(group, reason === null ? 'proved' : 'nothing_to_compare', reason, identityOf);
      }),
    );
    for (const [index, group] of groups.entries()) {
      if (unprovable(group) !== null) continue;
      const plan = new GroupMutants(group);
      for (let at = 0; at < group.sample.length; at += 1) {
        const { example, mutants } = plan.of(at);
        const { target, aliases, reference } = example;
        const scorer = judgedQuestion(example.scorer, example.messages);
        for (const mutant of mutants) {
          const id = `p${this.#posed.size}`;
          this.#posed.set(id, { group: index, exampleId: example.id, mutant });
          const messages = [{ role: 'user' as const, content: mutant.text }];
          this.#examples.push({ id, messages, target, aliases: [...aliases], reference, scorer });
        }
      }
    }
  }

  /** How many answers would be graded. */
  get answers(): number {
    return this.#posed.size;
  }

  /** The suite to run with a target that repeats the last user message. @throws RangeError when there is nothing to prove */
  suite(name: string): SuiteInput {
    const [first] = this.#examples;
    if (!first?.scorer) throw new RangeError('no answer to grade');
    const generation: Partial<Generation> = { max_tokens: MAX_TOKENS };
    return { name, schema_version: 2, default_scorer: first.scorer, generation, examples: this.#examples };
  }

  /** Takes the outcome of one of the suite's examples. @returns false when it was not measured, and so not counted */
  count(id: string, kind: OutcomeKind): boolean {
    const posed = this.#posed.get(id);
    if (!posed) throw new RangeError(`no mutant ${id}`);
    if (kind === 'error' || kind === 'skipped') return false;
    this.#tally.count(posed.group, posed.exampleId, posed.mutant, kind === 'pass');
    return true;
  }

  proof(): ScorerProof {
    return this.#tally.proof();
  }
}
