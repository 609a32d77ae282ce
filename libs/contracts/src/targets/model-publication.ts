import { z } from 'zod';
import { WeightShard } from '../replay/base-weight-manifest.js';
import { JsonObject } from '../scalars/json-value.js';

export const EngineKind = z.enum(['onnx', 'echo']).meta({ id: 'EngineKind' });
export type EngineKind = z.infer<typeof EngineKind>;

/** A model that a worker can serve, as it publishes it after scanning its model directory. */
export const ModelPublication = z
  .object({
    model: z.string().min(1),
    engine: EngineKind,
    model_digest: z.string(),
    tokenizer_digest: z.string(),
    template_digest: z.string(),
    adapters: z.array(z.object({ adapter: z.string().min(1), adapter_digest: z.string() })),
    context_tokens: z.int().min(1).nullable().meta({ description: 'Most tokens of prompt and answer together; null = not known.' }),
    execution_provenance: JsonObject.meta({ description: 'Runtime, version, provider and options that answers may depend on.' }),
    weight_shards: z.array(WeightShard).exactOptional().meta({ description: 'The files that hold its weights, sorted by path.' }),
    pool: z.string().min(1),
  })
  .meta({ id: 'ModelPublication' });
export type ModelPublication = z.infer<typeof ModelPublication>;
