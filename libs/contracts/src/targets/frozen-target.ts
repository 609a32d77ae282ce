import { z } from 'zod';
import { Text } from '../scalars/text.js';
import { EngineKind } from './model-publication.js';
import { Pricing } from './pricing.js';

/** A model target as stored and hashed: everything its answers depend on. */
export const FrozenModelTarget = z
  .object({
    kind: z.literal('model'),
    engine: EngineKind,
    model: z.string(),
    adapter: z.string().nullable().meta({ description: 'null = the base model.' }),
    model_digest: z.string(),
    adapter_digest: z.string().nullable(),
    tokenizer_digest: z.string(),
    template_digest: z.string(),
    pricing: Pricing,
  })
  .meta({ id: 'FrozenModelTarget' });

/** An endpoint target as stored and hashed. */
export const FrozenEndpointTarget = z
  .object({
    kind: z.literal('endpoint'),
    base_url: z.string(),
    model: z.string(),
    api_key_env: z.string().nullable(),
    revision: z.string().nullable(),
    headers: z.record(z.string(), Text),
    timeout_ms: z.int().min(1),
    concurrency: z.int().min(1),
    pricing: Pricing,
  })
  .meta({ id: 'FrozenEndpointTarget' });

/** What is evaluated, frozen at admission. Its name is not part of it: renaming a target does not change its identity. */
export const FrozenTarget = z.discriminatedUnion('kind', [FrozenModelTarget, FrozenEndpointTarget]).meta({ id: 'FrozenTarget' });
export type FrozenTarget = z.infer<typeof FrozenTarget>;
export type FrozenModelTarget = z.infer<typeof FrozenModelTarget>;
export type FrozenEndpointTarget = z.infer<typeof FrozenEndpointTarget>;
