import { parseWith, Scorer, type ScorerProof, type ScorerProofRow } from '@kiln/contracts';
import { ProofSample, type SampledExample } from './proof-sample.js';
import { ScorerProver } from './scorer-prover.js';

export interface WrittenExample extends Partial<Omit<SampledExample, 'scorer'>> {
  readonly scorer?: object;
}

/** An example as a proof takes it. */
export function sampled(scorer: object, example: WrittenExample, id = 'e'): SampledExample {
  return {
    id,
    messages: [{ role: 'user', content: 'q' }],
    tools: null,
    target: null,
    aliases: [],
    reference: null,
    ...example,
    scorer: parseWith(Scorer, example.scorer ?? scorer, 'scorer'),
  };
}

/** The whole proof of examples under a scorer as a suite writes it. */
export function prove(scorer: object, examples: readonly WrittenExample[], limit?: number): ScorerProof {
  const sample = new ProofSample(limit);
  for (const [index, example] of examples.entries()) sample.add(sampled(scorer, example, `e${index}`));
  const prover = new ScorerProver(sample, ({ kind }) => `identity of ${kind}`);
  while (prover.step());
  return prover.proof();
}

/** The rows of the first group that are wrong, and what they passed or refused first. */
export function wrongRows(proof: ScorerProof): Record<string, string> {
  const wrong = proof.groups.flatMap(({ rows }) => rows).filter((row) => row.wrong > 0);
  return Object.fromEntries(wrong.map((row) => [row.mutant, row.first_wrong?.text ?? '']));
}

export function rowOf(proof: ScorerProof, mutant: ScorerProofRow['mutant']): ScorerProofRow | undefined {
  return proof.groups.flatMap(({ rows }) => rows).find((row) => row.mutant === mutant);
}
