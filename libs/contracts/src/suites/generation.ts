import { z } from 'zod';
import { JsonObject } from '../scalars/json-value.js';
import { Text } from '../scalars/text.js';
import { U64Text } from '../scalars/u64.js';

/** PostgreSQL's `integer`; also beyond every model's context. */
const INT_MAX = 2_147_483_647;

/**
 * A limit on reasoning in one dimension, three states: property absent = inherit from the next outer setting;
 * null = unlimited; whole number ≥ 0 = limit, where 0 closes reasoning at once.
 */
export const ThinkingBudgetLimit = z.int().min(0).max(INT_MAX).nullable().exactOptional();
export type ThinkingBudgetLimit = z.infer<typeof ThinkingBudgetLimit>;

/** How answers are generated. Parsed: every default is filled; an absent thinking budget stays absent (inherit). */
export const Generation = z
  .object({
    temperature: z.number().min(0).max(2).default(0),
    top_p: z.number().gt(0).max(1).default(1),
    top_k: z.int().min(0).max(INT_MAX).default(0).meta({ description: '0 = no limit.' }),
    max_tokens: z.int().min(1).max(INT_MAX).default(256),
    n: z.int().min(1).max(128).default(1).meta({ description: 'Completions per example.' }),
    stop: z
      .array(Text.min(1))
      .max(64)
      .default(() => []),
    seed: U64Text.nullable().default(null),
    thinking_budget_tokens: ThinkingBudgetLimit,
    thinking_budget_ms: ThinkingBudgetLimit,
    chat_template_kwargs: JsonObject.nullable().default(null),
  })
  .meta({ id: 'Generation', description: 'Generation settings. Overrides replace the whole object; fields are not merged.' });
export type Generation = z.output<typeof Generation>;

/** Generation settings as a person writes them: every field may be left out. */
export type GenerationInput = z.input<typeof Generation>;
