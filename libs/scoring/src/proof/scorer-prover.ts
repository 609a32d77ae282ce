import { type Scorer, type ScorerProof } from '@kiln/contracts';
import { compileScorer } from '../compile-scorer.js';
import { type CompiledScorer } from '../scoring-input.js';
import { GroupMutants, groupHead, unprovable } from './plan-proof.js';
import { plainAnswer } from '../plain-answer.js';
import { type ProofSample, type SampledGroup } from './proof-sample.js';
import { ProofTally } from './proof-tally.js';

interface Turn {
  readonly group: number;
  readonly mutants: GroupMutants;
  readonly example: number;
  /** null: each example has its own. */
  readonly score: CompiledScorer | null;
}

/**
 * Proves the inline scorers of a suite, an example a step, so that the caller can let others have their turn and can stop:
 * `proof()` says what was tried.
 */
export class ScorerProver {
  readonly #tally: ProofTally;
  readonly #turns: Generator<Turn>;

  /** @param identityOf a scorer's identity, as scores are stored under it */
  constructor(sample: ProofSample, identityOf: (scorer: Scorer) => string) {
    const { groups } = sample;
    const heads = groups.map((group) => {
      if (!group.inline)
        return groupHead(
          group,
          'needs_execution',
          unprovable(group) ?? 'it asks a judge or runs code: prove it with --executed',
          identityOf,
        );
      const reason = unprovable(group) ?? (group.sample.length === 0 ? 'its examples have no target' : null);
      return groupHead(group, reason === null ? 'proved' : 'nothing_to_compare', reason, identityOf);
    });
    this.#tally = new ProofTally(sample.examples, heads);
    this.#turns = turnsOf(groups.filter(({ inline }) => inline).map((group) => [groups.indexOf(group), group] as const));
  }

  /** Proves the next example. @returns false when there is none left */
  step(): boolean {
    const { value: turn, done } = this.#turns.next();
    if (done) return false;
    const { example, mutants } = turn.mutants.of(turn.example);
    if (mutants.length === 0) return true;
    const score = turn.score ?? compileScorer(example.scorer);
    for (const mutant of mutants)
      this.#tally.count(turn.group, example.id, mutant, score(plainAnswer(mutant.text, example)).kind === 'pass');
    return true;
  }

  proof(): ScorerProof {
    return this.#tally.proof();
  }
}

function* turnsOf(groups: readonly (readonly [number, SampledGroup])[]): Generator<Turn> {
  for (const [index, group] of groups) {
    if (unprovable(group) !== null) continue;
    const mutants = new GroupMutants(group);
    const score = group.scorer === null ? null : compileScorer(group.scorer);
    for (let example = 0; example < group.sample.length; example += 1) yield { group: index, mutants, example, score };
  }
}
