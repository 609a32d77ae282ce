import { z } from 'zod';
import { Instant } from '../scalars/instant.js';
import { JsonObject } from '../scalars/json-value.js';

/** A model that a worker can serve, as it publishes it after scanning its model directory. */
export const ModelPublication = z
  .object({
    model: z.string().min(1),
    engine: z.enum(['onnx', 'echo']),
    model_digest: z.string(),
    tokenizer_digest: z.string(),
    template_digest: z.string(),
    adapters: z.array(z.object({ adapter: z.string().min(1), adapter_digest: z.string() })),
    execution_provenance: JsonObject.meta({ description: 'Runtime, version, provider and options that answers may depend on.' }),
    pool: z.string().min(1),
  })
  .meta({ id: 'ModelPublication' });
export type ModelPublication = z.infer<typeof ModelPublication>;

/** A model as the API lists it. */
export const ModelView = z
  .object({
    model: z.string(),
    engine: z.enum(['onnx', 'echo']),
    model_digest: z.string(),
    tokenizer_digest: z.string(),
    template_digest: z.string(),
    pools: z.array(z.string()),
    num_adapters: z.int().min(0),
    active_adapter: z.string().nullable(),
    is_default: z.boolean(),
    workers: z.int().min(0).meta({ description: 'Live workers that can serve it now.' }),
    published_at: Instant,
  })
  .meta({ id: 'ModelView' });
export type ModelView = z.infer<typeof ModelView>;

/** An adapter as the API lists it. */
export const AdapterView = z
  .object({
    adapter: z.string(),
    model: z.string(),
    adapter_digest: z.string(),
    active: z.boolean(),
    published_at: Instant,
  })
  .meta({ id: 'AdapterView' });
export type AdapterView = z.infer<typeof AdapterView>;

/** What a scan of one worker's model directory found. */
export const ScanReport = z
  .object({
    models: z.array(z.string()),
    rejected: z.array(z.object({ path: z.string(), reason: z.string() })),
  })
  .meta({ id: 'ScanReport' });
export type ScanReport = z.infer<typeof ScanReport>;
