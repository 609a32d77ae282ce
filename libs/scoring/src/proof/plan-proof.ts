import { type Scorer, type ScorerProofGroup } from '@kiln/contracts';
import { type Mutant, type MutateExample } from './mutant.js';
import { type SampledExample, type SampledGroup } from './proof-sample.js';
import { proofRule } from './proof-rules.js';

/** What an empty table of a group says. */
export type ProofGroupHead = Omit<ScorerProofGroup, 'examples_tried' | 'rows'>;

/** Why a group cannot be proved at all; null when it can. */
export function unprovable({ scorer }: SampledGroup): string | null {
  const rule = scorer === null ? null : proofRule(scorer);
  return typeof rule === 'string' ? rule : null;
}

export function groupHead(
  group: SampledGroup,
  status: ProofGroupHead['status'],
  reason: string | null,
  identityOf: (scorer: Scorer) => string,
): ProofGroupHead {
  return {
    scorer_kind: group.kind,
    scorer_identity: group.scorer === null ? null : identityOf(group.scorer),
    first_example_id: group.firstExampleId,
    status,
    reason,
    examples: group.examples,
  };
}

/** Makes the mutants of a group's examples; one scorer's rule is made once. */
export class GroupMutants {
  readonly #group: SampledGroup;
  readonly #rule: MutateExample | string | null;

  constructor(group: SampledGroup) {
    this.#group = group;
    this.#rule = group.scorer === null ? null : proofRule(group.scorer);
  }

  /** The mutants of the example at `index`; none when it has no right answer. */
  of(index: number): { example: SampledExample; mutants: Mutant[] } {
    const { sample } = this.#group;
    const example = sample[index];
    if (!example) throw new RangeError(`no example ${index}`);
    const rule = this.#rule ?? proofRule(example.scorer);
    const other = sample[(index + 1) % sample.length]?.target ?? null;
    const mutants = typeof rule === 'string' ? null : rule(example, other === example.target ? null : other);
    return { example, mutants: mutants ?? [] };
  }
}
