import { type Scorer, type ScorerProof } from '@kiln/contracts';
import { type Database, readSuiteExamples, type SuiteVersion } from '@kiln/database';
import { scorerIdentity } from '@kiln/provenance';
import { ProofSample, ScorerProver, scorerVersions } from '@kiln/scoring';
import { exampleToProve } from '@kiln/suites';
import { setImmediate } from 'node:timers/promises';

/** How long a proof may keep other requests waiting at a time. */
const TURN_MS = 10;
/** Far more than suites take: it ends the proof of patterns and programs that were written to be slow. What is left says so. */
const LIMIT_MS = 20_000;
const PAGE = 500;

/** Proves the inline scorers of the sampled examples, in turns with other requests. */
export async function proveSample(sample: ProofSample): Promise<ScorerProof> {
  const prover = new ScorerProver(sample, identityOf);
  const start = performance.now();
  let turn = start;
  while (prover.step()) {
    const now = performance.now();
    if (now - start > LIMIT_MS) break;
    if (now - turn < TURN_MS) continue;
    await setImmediate();
    turn = performance.now();
  }
  return prover.proof();
}

/**
 * Proves the scorers of a stored version, reading its examples page by page.
 *
 * @param scorer takes the place of all of them, as in a rescore
 */
export async function proveStored(
  db: Database,
  { id: versionId, header }: Pick<SuiteVersion, 'id' | 'header'>,
  scorer: Scorer | null = null,
): Promise<ScorerProof> {
  const sample = new ProofSample();
  for (let after = -1; ; after += PAGE) {
    const examples = await readSuiteExamples(db, { versionId, after, limit: PAGE });
    for (const example of examples) sample.add({ ...exampleToProve(header, example), ...(scorer && { scorer }) });
    if (examples.length < PAGE) return proveSample(sample);
  }
}

function identityOf(scorer: Scorer): string {
  return scorerIdentity(scorer, { versions: scorerVersions(scorer) });
}
