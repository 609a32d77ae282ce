import { z } from 'zod';
import { Digest } from '../scalars/digest.js';

/** What a replay has to reproduce: frozen when it is admitted, from the record of the run that it repeats. */
export const ReplayExpectation = z.object({
  type: z.literal('kiln.eval-replay-expectation.v1'),
  schema_version: z.literal(1),
  source_job_id: z.string(),
  source_run_id: z.string(),
  source_run_index: z.int().min(0),
  record_sha256: Digest,
  raw_completion_set_sha256: Digest,
  execution_provenance_sha256: Digest,
  base_weight_manifest_sha256: Digest,
});
export type ReplayExpectation = z.infer<typeof ReplayExpectation>;
