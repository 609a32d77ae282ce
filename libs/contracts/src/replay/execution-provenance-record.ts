import { z } from 'zod';
import { JsonObject } from '../scalars/json-value.js';

/** What executed a target, as traces refer to it and as a replay pins it. */
export const ExecutionProvenanceRecord = z
  .object({
    type: z.literal('kiln.execution-provenance.v1'),
    schema_version: z.literal(1),
    pinned: JsonObject.meta({
      description: 'What the tokens may depend on: runtime, versions, provider, options, hardware. A replay needs the same.',
    }),
    incidental: JsonObject.meta({ description: 'What they do not depend on, such as the number of threads. A replay may differ here.' }),
  })
  .meta({ id: 'ExecutionProvenanceRecord' });
export type ExecutionProvenanceRecord = z.infer<typeof ExecutionProvenanceRecord>;
