import { childScorers, type Example, KilnError, type Scorer, type SuiteHeader } from '@kiln/contracts';
import { type SuiteFacts } from '@kiln/database';
import { promptTokenBound } from '@kiln/inference';
import { canonicalJson } from '@kiln/provenance';
import { isInlineScorer } from '@kiln/scoring';
import { effectiveScorer, effectiveTools, promptMessages } from '@kiln/suites';

/** Tags are slices of the metrics, each with its own row of numbers; values that differ per example belong in metadata. */
const MAX_DISTINCT_TAGS = 10_000;

/** Judges and code scorers that differ; admission looks at each. */
const MAX_EXECUTED_SCORERS = 256;

/** Gathers what admission needs to know of a suite's examples, while they stream by. */
export class SuiteFactsCollector {
  readonly #header: SuiteHeader;
  readonly #ns = new Set<number>();
  readonly #scorerKinds = new Set<string>();
  readonly #executed = new Map<string, Scorer>();
  readonly #tagCounts = new Map<string, number>();
  #count = 0;
  #maxTokens = 0;
  #maxPromptTokens = 0;

  constructor(header: SuiteHeader) {
    this.#header = header;
  }

  /** @throws KilnError `eval_invalid_request` when there are too many different tags */
  add(example: Example): void {
    this.#count += 1;
    if (example.generation !== null) {
      this.#ns.add(example.generation.n);
      this.#maxTokens = Math.max(this.#maxTokens, example.generation.max_tokens);
    }
    const prompt = promptTokenBound(promptMessages(this.#header, example), effectiveTools(this.#header, example));
    this.#maxPromptTokens = Math.max(this.#maxPromptTokens, prompt);
    const scorer = effectiveScorer(this.#header, example);
    addScorerKinds(scorer, this.#scorerKinds);
    if (!isInlineScorer(scorer)) this.#executed.set(canonicalJson(scorer), scorer);
    if (this.#executed.size > MAX_EXECUTED_SCORERS) throw tooManyScorers();
    for (const tag of new Set(example.tags)) this.#tagCounts.set(tag, (this.#tagCounts.get(tag) ?? 0) + 1);
    if (this.#tagCounts.size > MAX_DISTINCT_TAGS) throw tooManyTags();
  }

  finish(): SuiteFacts {
    return {
      exampleCount: this.#count,
      exampleNs: [...this.#ns].toSorted((a, b) => a - b),
      exampleMaxTokens: this.#maxTokens,
      maxPromptTokens: this.#maxPromptTokens,
      scorerKinds: [...this.#scorerKinds].toSorted(),
      executedScorers: [...this.#executed.values()],
      tagCounts: Object.fromEntries(this.#tagCounts),
    };
  }
}

function addScorerKinds(scorer: Scorer, kinds: Set<string>): void {
  kinds.add(scorer.kind);
  for (const child of childScorers(scorer)) addScorerKinds(child, kinds);
}

function tooManyScorers(): KilnError {
  return new KilnError('eval_invalid_request', `examples: more than ${MAX_EXECUTED_SCORERS} different judges and code scorers`, {
    path: 'examples',
    hint: 'Let examples share a scorer: what differs from example to example belongs into target and reference.',
  });
}

function tooManyTags(): KilnError {
  return new KilnError('eval_invalid_request', `examples: more than ${MAX_DISTINCT_TAGS} different tags`, {
    path: 'examples',
    hint: 'Tags are slices of the metrics. Put what differs from example to example into metadata.',
  });
}
