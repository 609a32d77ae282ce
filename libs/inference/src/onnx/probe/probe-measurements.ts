/** SHA-256 of the bits of a row's logits. */
export type LogitsDigest = string;

/** One step with so many rows, the first and the last of which hold the same prompt. */
export interface StepMeasurement {
  readonly rows: number;
  readonly first: LogitsDigest;
  readonly last: LogitsDigest;
}

/**
 * What a loaded model did on this machine. Each truth value says that two ways of computing the same gave the same bits; null: the
 * model is never run in that other way.
 */
export interface ProbeMeasurements {
  /** No logit was NaN. */
  readonly finite: boolean;
  /** The same run twice. */
  readonly repeated: boolean;
  /** Behind a longer prompt that was in the slot before: what lies behind a row's columns is padding. */
  readonly padding: boolean;
  /** In slots of twice the width. */
  readonly width: boolean | null;
  /** With other prompts, of other lengths, in the other rows of the step. */
  readonly neighbours: boolean | null;
  /** The prompt read in several chunks, all of at least two tokens. */
  readonly chunks: boolean | null;
  /** The prompt with its last token in a chunk of its own. For the record: prompts are never read like that. */
  readonly lastTokenAlone: boolean | null;
  /** By rising number of rows. */
  readonly steps: readonly StepMeasurement[];
  /** null: no adapter can be fed. */
  readonly adapter: AdapterMeasurements | null;
}

export interface AdapterMeasurements {
  /** An adapter of rank 0, against the model as it is. */
  readonly rankZero: boolean;
  /** With an adapter of rank above 0, by rising number of rows. */
  readonly steps: readonly StepMeasurement[];
}
