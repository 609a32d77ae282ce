/** Stable names of what can be wrong with the rows of one example. */
export type ReducerErrorCode =
  | 'invalid_definition'
  | 'completion_count'
  | 'completion_indices'
  | 'invalid_score'
  | 'inconsistent_example_metadata';

/**
 * The rows of an example cannot be reduced. Each is a broken promise of an earlier layer (admission checks the
 * definition, the outcome table its keys), so a job that meets one fails; it is never a `fail` of the model.
 */
export abstract class ReducerError extends Error {
  abstract readonly code: ReducerErrorCode;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** The aggregation is not one: unknown kind, k out of 1..128, or an even majority. */
export class InvalidDefinitionError extends ReducerError {
  readonly code = 'invalid_definition';
}

/** There are more or fewer rows than the aggregation's cardinality. */
export class CompletionCountError extends ReducerError {
  readonly code = 'completion_count';
}

/** The completion indices are not exactly 0 to K−1. */
export class CompletionIndicesError extends ReducerError {
  readonly code = 'completion_indices';
}

/** A score is not a finite number from 0 to 1. */
export class InvalidScoreError extends ReducerError {
  readonly code = 'invalid_score';
}

/** The rows disagree about the example they belong to: its id, its tags (in order) or its metadata. */
export class InconsistentExampleMetadataError extends ReducerError {
  readonly code = 'inconsistent_example_metadata';
}
