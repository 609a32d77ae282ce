import { z } from 'zod';
import { Digest } from '../scalars/digest.js';

/** A file that holds weights, as it lies in the model's directory. */
export const WeightShard = z
  .object({
    path: z.string().min(1).meta({ description: 'Within the model’s directory, with "/" between folders.' }),
    bytes: z.int().min(0),
    sha256: Digest,
  })
  .meta({ id: 'WeightShard' });
export type WeightShard = z.infer<typeof WeightShard>;

/** The files that a base model is, as a replay pins them. */
export const BaseWeightManifest = z
  .object({
    type: z.literal('kiln.base-weight-shards.v1'),
    schema_version: z.literal(1),
    engine: z.string(),
    model: z.string(),
    model_digest: z.string(),
    tokenizer_digest: z.string(),
    template_digest: z.string(),
    shards: z.array(WeightShard).nullable().meta({
      description: 'Sorted by path. null: the worker did not list them, or the model has no files; model_digest covers them all the same.',
    }),
  })
  .meta({ id: 'BaseWeightManifest' });
export type BaseWeightManifest = z.infer<typeof BaseWeightManifest>;
