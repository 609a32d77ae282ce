import { cardinality, type ScorerKind, type ScorerProof, type ScorerProofSummary, type SuiteSummary } from '@kiln/contracts';
import { type SuiteVersion } from '@kiln/database';

/** A stored version as the API lists it. */
export function suiteSummary(version: SuiteVersion): SuiteSummary {
  const { header } = version;
  return {
    name: header.name,
    description: header.description,
    num_examples: version.exampleCount,
    completions_per_example: cardinality(header.aggregation),
    aggregation: header.aggregation,
    schema_version: header.schema_version,
    default_scorer_kind: header.default_scorer.kind satisfies ScorerKind,
    tags: version.tagCounts,
    hash: version.hash,
    version: version.number,
    scorer_proof: version.scorerProof && proofSummary(version.scorerProof),
    scorer_waiver: header.scorer_waiver ?? null,
    created_at: version.createdAt.toISOString(),
  };
}

function proofSummary(proof: ScorerProof): ScorerProofSummary {
  const { groups: _, ...counts } = proof;
  return counts;
}
