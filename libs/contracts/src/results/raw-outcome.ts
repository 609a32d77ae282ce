import { z } from 'zod';
import { OutcomeKind } from '../outcome-kind.js';
import { Fraction } from '../scalars/fraction.js';
import { JsonObject } from '../scalars/json-value.js';
import { PriceBasis } from '../targets/pricing.js';
import { ThinkingBudgetRecord } from './thinking-budget-record.js';

/** Why generation ended. */
export const GenerationStop = z.enum(['stop', 'stop_string', 'length', 'cancelled']).meta({ id: 'GenerationStop' });
export type GenerationStop = z.infer<typeof GenerationStop>;

/** One completion of one example: trace and primary score. */
export const RawOutcome = z
  .object({
    example_id: z.string(),
    completion_index: z.int().min(0),
    generation_seed: z.string().meta({ description: 'u64 as a decimal string.' }),
    completion_text: z.string().meta({ description: 'The form that was scored: reasoning removed.' }),
    raw_completion_text: z.string().meta({ description: 'What the decoder wrote, in a form that can be shown.' }),
    text_changed: z.boolean().meta({ description: 'The shown text differs from the stored bytes (they were not valid text).' }),
    thinking_budget: ThinkingBudgetRecord.nullable(),
    kind: OutcomeKind,
    score: Fraction,
    detail: z.unknown().meta({ description: 'How the scorer came to it; for kind error {code, message}.' }),
    prompt_tokens: z.int().min(0),
    cached_tokens: z.int().min(0).meta({ description: 'The part of prompt_tokens that came from a cache.' }),
    completion_tokens: z.int().min(0),
    latency_ms: z.number().min(0),
    stop_reason: GenerationStop.nullable().meta({ description: 'null when nothing was generated.' }),
    cost_usd: z.string().nullable().meta({ description: 'US dollars as a decimal string; null = unknown, never 0.' }),
    price_basis: PriceBasis,
    tags: z.array(z.string()),
    metadata: JsonObject.nullable(),
    reasoning_text: z.string().nullable(),
    unclosed_thinking: z.boolean(),
    tool_calls: z.array(z.unknown()).nullable(),
  })
  .meta({ id: 'RawOutcome' });
export type RawOutcome = z.infer<typeof RawOutcome>;
