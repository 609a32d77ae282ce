import { type BoundedOutcome } from '@kiln/outcomes';

/** One example on both sides of a comparison. */
export interface ComparedPair {
  /** Position in the suite; pairs arrive in ascending order. */
  readonly ordinal: number;
  readonly example_id: string;
  /** Examples of one cluster are not independent; absent or null: independent of all others. */
  readonly cluster?: string | null;
  /** null: incomplete on that side (a sample was not run), so there is no reduced outcome. */
  readonly baseline: BoundedOutcome | null;
  readonly candidate: BoundedOutcome | null;
}

/** What arrived, for the gate's check of the evidence. */
export interface PairingFacts {
  /** Reduced outcomes of each side, skipped ones too. */
  readonly baseline_examples: number;
  readonly candidate_examples: number;
  readonly all_scores_finite: boolean;
  /** Ids that came more than once. */
  readonly duplicate_ids: number;
  /** Ids with an outcome on one side only, and outcomes without an id. */
  readonly missing_ids: number;
}
