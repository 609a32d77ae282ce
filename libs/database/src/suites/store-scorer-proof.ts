import { type ScorerProof } from '@kiln/contracts';
import { type Queryable } from '../database.js';

/** Stores the proof of a version's scorers in place of an older one: it says what today's scorers do, so it is no part of the version. */
export async function storeScorerProof(db: Queryable, versionId: string, proof: ScorerProof): Promise<void> {
  await db.query(`UPDATE suite_versions SET scorer_proof = $2 WHERE id = $1`, [versionId, JSON.stringify(proof)]);
}
