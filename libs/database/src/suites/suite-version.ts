import { type Scorer, type ScorerProof, type SuiteHeader } from '@kiln/contracts';

/** What a version says of its examples, so that admission never reads one. */
export interface SuiteFacts {
  exampleCount: number;
  /** Distinct n among the examples that bring their own generation. */
  exampleNs: number[];
  /** Largest max_tokens among those; 0 when there is none. */
  exampleMaxTokens: number;
  /** Upper bound of the tokens of the longest prompt with its tools. */
  maxPromptTokens: number;
  scorerKinds: string[];
  /** The different scorers that ask a judge or run code. */
  executedScorers: Scorer[];
  /** Tag → examples that carry it. */
  tagCounts: Record<string, number>;
}

/** An immutable version of a suite, without its examples. */
export interface SuiteVersion extends SuiteFacts {
  id: string;
  /** Counts the versions of a name; 1 for an inline suite. */
  number: number;
  hash: string;
  header: SuiteHeader;
  /** How its scorers graded answers that are known to be right or wrong; null when nobody has asked yet. */
  scorerProof: ScorerProof | null;
  createdAt: Date;
}

/** The columns of a `SuiteVersion` of the table alias `v`. */
export const SUITE_VERSION_COLUMNS = `v.id, v.number, v.hash, v.header, v.example_count AS "exampleCount",
  v.example_ns AS "exampleNs", v.example_max_tokens AS "exampleMaxTokens", v.max_prompt_bytes AS "maxPromptTokens",
  v.scorer_kinds AS "scorerKinds", v.executed_scorers AS "executedScorers", v.tag_counts AS "tagCounts", v.created_at AS "createdAt",
  v.scorer_proof AS "scorerProof"`;
