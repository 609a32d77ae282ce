import { type OutcomeKind } from '@kiln/contracts';
import { type ReducibleRow } from './reducers/reduction.js';

/** Rows of one example written as `pass`, `fail` or `[kind, score]`; a bare kind scores 1 for pass and 0 otherwise. */
export function rows(...completions: (OutcomeKind | readonly [OutcomeKind, number])[]): ReducibleRow[] {
  return completions.map((completion, completion_index) => {
    const [kind, score] = typeof completion === 'string' ? [completion, completion === 'pass' ? 1 : 0] : completion;
    return Object.freeze({ example_id: 'x', completion_index, kind, score, tags: TAGS, metadata: METADATA });
  });
}

const TAGS = Object.freeze(['t']) as string[];
const METADATA = Object.freeze({ a: 1, b: [2] }) as { a: number; b: number[] };
