import { z } from 'zod';

const K = z.int().min(1).max(128).meta({ description: 'Completions per example.' });
const OddK = K.refine((k) => k % 2 === 1, 'must be odd, so that a majority always exists; add or remove one completion');

const KINDS = ['single', 'mean_at_k', 'pass_at_k', 'majority_at_k'];

/** How the completions of one example become one outcome. Unknown fields are refused: a misspelt one would change the result. */
export const Aggregation = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.literal('single') }),
      z.strictObject({ kind: z.literal('mean_at_k'), k: K }),
      z.strictObject({ kind: z.literal('pass_at_k'), k: K }),
      z.strictObject({ kind: z.literal('majority_at_k'), k: OddK }),
    ],
    { error: (issue) => (issue.code === 'invalid_union' ? `unknown aggregation; use one of ${KINDS.join(', ')}` : undefined) },
  )
  .meta({ id: 'Aggregation' });
export type Aggregation = z.infer<typeof Aggregation>;

/** Completions that one example needs: 1 for `single`, K otherwise. */
export function cardinality(aggregation: Aggregation): number {
  return aggregation.kind === 'single' ? 1 : aggregation.k;
}

/** The label that gate evidence carries: `single`, `mean@K`, `pass@K`, `majority@K`. */
export function aggregationLabel(aggregation: Aggregation): string {
  return aggregation.kind === 'single' ? 'single' : `${aggregation.kind.replace('_at_k', '')}@${aggregation.k}`;
}
