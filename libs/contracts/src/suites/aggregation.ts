import { z } from 'zod';

const MAX_COMPLETIONS = 128;
const K = z.int().min(1).max(MAX_COMPLETIONS).meta({ description: 'Completions per example.' });
const OddK = K.refine((k) => k % 2 === 1, 'must be odd, so that a majority always exists; add or remove one completion');

const Estimate = z
  .strictObject({
    kind: z.literal('pass_at_k_estimate'),
    k: z.int().min(1).max(MAX_COMPLETIONS).meta({ description: 'The k of pass@k: attempts that a user would make.' }),
    n: z.int().min(1).max(MAX_COMPLETIONS).optional().meta({ description: 'Completions per example, at least k; k when absent.' }),
  })
  .refine(({ k, n }) => n === undefined || n >= k, {
    path: ['n'],
    error: 'must be at least k: pass@k cannot be estimated from fewer than k completions',
  });

const KINDS = ['single', 'mean_at_k', 'pass_at_k', 'majority_at_k', 'pass_at_k_estimate'];

/** How the completions of one example become one outcome. Unknown fields are refused: a misspelt one would change the result. */
export const Aggregation = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.literal('single') }),
      z.strictObject({ kind: z.literal('mean_at_k'), k: K }),
      z.strictObject({ kind: z.literal('pass_at_k'), k: K }),
      z.strictObject({ kind: z.literal('majority_at_k'), k: OddK }),
      Estimate,
    ],
    { error: (issue) => (issue.code === 'invalid_union' ? `unknown aggregation; use one of ${KINDS.join(', ')}` : undefined) },
  )
  .meta({ id: 'Aggregation' });
export type Aggregation = z.infer<typeof Aggregation>;

/** Completions that one example needs: 1 for `single`, n for `pass_at_k_estimate`, K otherwise. */
export function cardinality(aggregation: Aggregation): number {
  if (aggregation.kind === 'single') return 1;
  return aggregation.kind === 'pass_at_k_estimate' ? (aggregation.n ?? aggregation.k) : aggregation.k;
}

/** The label that gate evidence carries: `single`, `mean@K`, `pass@K`, `majority@K`, `pass_at_k_estimate@k/n`. */
export function aggregationLabel(aggregation: Aggregation): string {
  switch (aggregation.kind) {
    case 'single':
      return 'single';
    case 'pass_at_k_estimate':
      return `pass_at_k_estimate@${aggregation.k}/${cardinality(aggregation)}`;
    default:
      return `${aggregation.kind.replace('_at_k', '')}@${aggregation.k}`;
  }
}
