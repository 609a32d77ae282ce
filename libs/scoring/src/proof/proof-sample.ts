import { type Scorer, type ScorerKind } from '@kiln/contracts';
import { isInlineScorer } from '../scorer-kinds.js';
import { type ProvedExample } from './mutant.js';
import { StrideSample } from './stride-sample.js';

/** Examples of a suite that have one scorer, or one kind of scorer. */
export interface SampledGroup {
  readonly kind: ScorerKind;
  /** null: they differ. */
  readonly scorer: Scorer | null;
  readonly inline: boolean;
  readonly firstExampleId: string;
  readonly examples: number;
  readonly sample: readonly SampledExample[];
}

export interface SampledExample extends ProvedExample {
  readonly scorer: Scorer;
}

/** Different scorers that have a group of their own; the examples of further ones are grouped by kind. */
const MAX_GROUPS = 24;
/** Characters of the examples that one group keeps. */
const GROUP_BUDGET = 1024 * 1024;
/** Characters of target and aliases. Longer ones say little more of a scorer, and every mutant is as long. */
const MAX_ANSWER = 8192;

/** Most examples of one scorer that are proved at registration. */
export const PROVED_EXAMPLES = 500;

interface Group {
  kind: ScorerKind;
  scorer: Scorer | null;
  inline: boolean;
  firstExampleId: string;
  examples: number;
  sample: StrideSample<SampledExample>;
}

/** Gathers the examples that a proof tries, while a suite of any size streams by. */
export class ProofSample {
  readonly #limit: number;
  readonly #groups = new Map<string, Group>();
  /** Most examples share one scorer object; its text is made once. */
  readonly #byScorer = new WeakMap<Scorer, Group>();
  #examples = 0;
  #own = 0;

  /** @param limit most examples of one scorer */
  constructor(limit: number = PROVED_EXAMPLES) {
    this.#limit = limit;
  }

  /** How many examples were added. */
  get examples(): number {
    return this.#examples;
  }

  get groups(): SampledGroup[] {
    return [...this.#groups.values()].map((group) => ({ ...group, sample: group.sample.items }));
  }

  add(example: SampledExample): void {
    this.#examples += 1;
    const group = this.#groupOf(example);
    group.examples += 1;
    const answer = example.aliases.reduce((sum, alias) => sum + alias.length, example.target?.length ?? 0);
    if (answer > MAX_ANSWER || !mayHaveAnswer(example)) return;
    const prompt = example.messages.reduce((sum, { content }) => sum + content.length, 0);
    group.sample.add(example, answer + prompt);
  }

  #groupOf({ scorer, id }: SampledExample): Group {
    const known = this.#byScorer.get(scorer);
    if (known) return known;
    const group = this.#findGroup(scorer, id);
    this.#byScorer.set(scorer, group);
    return group;
  }

  #findGroup(scorer: Scorer, id: string): Group {
    const key = JSON.stringify(scorer);
    const own = this.#groups.get(key);
    if (own) return own;
    const inline = isInlineScorer(scorer);
    if (this.#own < MAX_GROUPS) {
      this.#own += 1;
      return this.#open(key, { kind: scorer.kind, scorer, inline, firstExampleId: id });
    }
    const shared = `${scorer.kind} ${inline ? 'inline' : 'executed'}`;
    return this.#groups.get(shared) ?? this.#open(shared, { kind: scorer.kind, scorer: null, inline, firstExampleId: id });
  }

  #open(key: string, group: Omit<Group, 'examples' | 'sample'>): Group {
    const opened = { ...group, examples: 0, sample: new StrideSample<SampledExample>(this.#limit, GROUP_BUDGET) };
    this.#groups.set(key, opened);
    return opened;
  }
}

/** Examples without a target are left out, so that a few that have one are not lost among many that have none. */
function mayHaveAnswer({ target, aliases, reference, scorer }: SampledExample): boolean {
  return target !== null || aliases.length > 0 || reference !== null || !NEEDS_TARGET.has(scorer.kind);
}

const NEEDS_TARGET: ReadonlySet<ScorerKind> = new Set([
  'regex',
  'pattern_match',
  'json_validity',
  'multiple_choice',
  'numeric_tolerance',
  'tool_call',
  'code',
]);
