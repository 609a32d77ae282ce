import { type Aggregation, cardinality } from '@kiln/contracts';
import { type ReducibleRow } from './reducers/reduction.js';
import {
  CompletionCountError,
  CompletionIndicesError,
  InconsistentExampleMetadataError,
  InvalidDefinitionError,
  InvalidScoreError,
} from './reducer-error.js';
import { sameJson } from './same-json.js';

const MAX_K = 128;

/**
 * Checks that `rows` are exactly the K completions of one example, as `aggregation` needs them. Skipped and failed
 * completions are rows too: what was not generated is missing, not skipped.
 *
 * @throws one of the five {@link ReducerError}s, in the order definition, count, indices, scores, metadata.
 */
export function requireReducible(aggregation: Aggregation, rows: readonly ReducibleRow[]): void {
  requireDefinition(aggregation);
  const expected = cardinality(aggregation);
  const [first] = rows;
  if (first === undefined || rows.length !== expected) {
    throw new CompletionCountError(`${about(first)} has ${rows.length} completions; ${aggregation.kind} needs exactly ${expected}`);
  }
  const seen = new Set(rows.map((row) => row.completion_index));
  for (let index = 0; index < expected; index++) {
    if (!seen.has(index)) throw new CompletionIndicesError(`${about(first)} has no completion ${index} among its ${expected}`);
  }
  for (const row of rows) {
    if (!(row.score >= 0 && row.score <= 1)) {
      throw new InvalidScoreError(`${about(row)}, completion ${row.completion_index}, has score ${row.score}; scores are from 0 to 1`);
    }
    requireSameExample(first, row);
  }
}

function requireDefinition(aggregation: Aggregation): void {
  switch (aggregation.kind) {
    case 'single':
      return;
    case 'mean_at_k':
    case 'pass_at_k':
    case 'majority_at_k':
    case 'pass_at_k_estimate':
      if (!Number.isInteger(aggregation.k) || aggregation.k < 1 || aggregation.k > MAX_K) {
        throw new InvalidDefinitionError(`${aggregation.kind} needs k from 1 to ${MAX_K}, got ${aggregation.k}`);
      }
      if (aggregation.kind === 'majority_at_k' && aggregation.k % 2 === 0) {
        throw new InvalidDefinitionError(`majority_at_k needs an odd k, got ${aggregation.k}: an even vote can tie`);
      }
      if (aggregation.kind === 'pass_at_k_estimate') requireEstimable(aggregation.k, cardinality(aggregation));
      return;
    default:
      throw new InvalidDefinitionError(`unknown aggregation ${JSON.stringify(aggregation)}`);
  }
}

function requireEstimable(k: number, n: number): void {
  if (!Number.isInteger(n) || n < k || n > MAX_K) {
    throw new InvalidDefinitionError(`pass_at_k_estimate needs n from k to ${MAX_K}, got k = ${k} and n = ${n}`);
  }
}

function requireSameExample(first: ReducibleRow, row: ReducibleRow): void {
  if (row.example_id !== first.example_id) {
    throw new InconsistentExampleMetadataError(`${about(first)} and ${about(row)} are grouped together`);
  }
  if (!sameJson(row.tags, first.tags) || !sameJson(row.metadata, first.metadata)) {
    throw new InconsistentExampleMetadataError(`${about(row)} has other tags or metadata in completion ${row.completion_index}`);
  }
}

function about(row: ReducibleRow | undefined): string {
  return row === undefined ? 'an example' : `example ${JSON.stringify(row.example_id)}`;
}
