import { z } from 'zod';
import { Instant } from '../scalars/instant.js';
import { EngineKind } from './model-publication.js';

/** A model as the API lists it. */
export const ModelView = z
  .object({
    model: z.string(),
    engine: EngineKind,
    model_digest: z.string(),
    tokenizer_digest: z.string(),
    template_digest: z.string(),
    pools: z.array(z.string()),
    num_adapters: z.int().min(0),
    active_adapter: z.string().nullable().meta({ description: 'null: this version has no way to set one.' }),
    is_default: z.boolean(),
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
    active: z.boolean().meta({ description: 'false: this version has no way to set an active adapter.' }),
    published_at: Instant,
  })
  .meta({ id: 'AdapterView' });
export type AdapterView = z.infer<typeof AdapterView>;

export const ScanResponse = z
  .object({ status: z.literal('requested'), workers: z.int().min(0).meta({ description: 'Live workers that were asked.' }) })
  .meta({ id: 'ScanResponse' });
export type ScanResponse = z.infer<typeof ScanResponse>;
