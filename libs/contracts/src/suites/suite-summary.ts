import { z } from 'zod';
import { Digest } from '../scalars/digest.js';
import { Instant } from '../scalars/instant.js';
import { ScorerKind } from '../scorer/scorer-kind.js';
import { Aggregation } from './aggregation.js';
import { ScorerProofSummary } from './scorer-proof.js';

/** One line of the list of suites. */
export const SuiteSummary = z
  .object({
    name: z.string(),
    description: z.string().nullable(),
    num_examples: z.int().min(1),
    completions_per_example: z.int().min(1),
    aggregation: Aggregation,
    schema_version: z.union([z.literal(1), z.literal(2)]),
    default_scorer_kind: ScorerKind,
    tags: z.record(z.string(), z.int().min(1)).meta({ description: 'Tag → number of examples that carry it.' }),
    hash: Digest,
    version: z.int().min(1).meta({ description: 'Counts the versions of this name; each is immutable.' }),
    scorer_proof: ScorerProofSummary.nullable().meta({ description: 'null: made when a gate or `proveSuite` first asks for it.' }),
    scorer_waiver: z.string().nullable(),
    created_at: Instant,
  })
  .meta({ id: 'SuiteSummary' });
export type SuiteSummary = z.infer<typeof SuiteSummary>;
