import type { Example, Scorer, SuiteHeader } from '@kiln/contracts';
import { scorerIdentity } from '@kiln/provenance';
import { compileScorerCheck, ProofSample, scorerVersions } from '@kiln/scoring';
import { checkSuiteValue, exampleToProve } from '@kiln/suites';
import type { ApiClient } from './api-client.js';
import { readSuiteFile } from './read-suite-file.js';

export type WholeSuite = SuiteHeader & { readonly examples: (Example & { id: string })[] };

/** Reading all examples of a large suite may take this long. */
export const PROOF_MS = 10 * 60_000;

/** A suite file with all its examples, checked as registering checks it. */
export async function readWhole(file: string): Promise<WholeSuite> {
  const { header, examples: read } = checkSuiteValue(await readSuiteFile(file), { compileScorerCheck });
  return { ...header, examples: read };
}

/** The newest version of a registered suite with all its examples. */
export async function fetchWhole(client: ApiClient, name: string): Promise<WholeSuite> {
  const {
    summary: _,
    scorer_proof: __,
    examples: read,
    ...header
  } = await client.call('getSuite', { params: { name }, timeoutMs: PROOF_MS });
  // Stored examples always have an id.
  return { ...header, examples: read.map((example) => ({ ...example, id: example.id ?? '' })) };
}

/** The examples that a proof tries. @param limit most of one scorer */
export function sampleOf({ examples: all, ...header }: WholeSuite, limit?: number): ProofSample {
  const sample = new ProofSample(limit);
  for (const example of all) sample.add(exampleToProve(header, example));
  return sample;
}

/** The identity under which the scores of an inline scorer are stored. */
export function identityOf(scorer: Scorer): string {
  return scorerIdentity(scorer, { versions: scorerVersions(scorer) });
}
