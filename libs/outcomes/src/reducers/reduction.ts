import { type OutcomeKind, type RawOutcome } from '@kiln/contracts';

/** What a reducer reads of a raw outcome. */
export type ReducibleRow = Readonly<Pick<RawOutcome, 'example_id' | 'completion_index' | 'kind' | 'score' | 'tags' | 'metadata'>>;

/** What the completions of one example came to, and the completion that stands for them. */
export interface Reduction {
  readonly kind: OutcomeKind;
  /** From 0 to 1. */
  readonly score: number;
  readonly representative: ReducibleRow;
}

/** Rows that were judged (nothing skipped), in order of completion index; at least one. */
export type JudgedRows = readonly [ReducibleRow, ...ReducibleRow[]];
