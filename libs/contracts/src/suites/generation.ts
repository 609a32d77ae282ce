import { z } from 'zod';
import { JsonObject } from '../scalars/json-value.js';
import { Text } from '../scalars/text.js';
import { U64Text } from '../scalars/u64.js';

/** PostgreSQL's `integer`; also beyond every model's context. */
const INT_MAX = 2_147_483_647;
const MAX_BIASED = 1024;

/**
 * A limit on reasoning in one dimension, three states: property absent = inherit from the next outer setting;
 * null = unlimited; whole number ≥ 0 = limit, where 0 closes reasoning at once.
 */
export const ThinkingBudgetLimit = z.int().min(0).max(INT_MAX).nullable().exactOptional();
export type ThinkingBudgetLimit = z.infer<typeof ThinkingBudgetLimit>;

/** Ids of tokens and what is added to their logits. */
const LogitBias = z
  .record(z.string().regex(/^(0|[1-9]\d{0,6})$/, 'must be the id of a token'), z.number().min(-100).max(100))
  .check(({ value, issues }) => {
    if (Object.keys(value).length <= MAX_BIASED) return;
    issues.push({ code: 'custom', input: value, message: `must name at most ${MAX_BIASED} tokens` });
  });

/** Ignored, as unknown fields are, it would give answers in any form to somebody who counts on one. */
const RESPONSE_FORMAT_REFUSED =
  'answers are not constrained to a format; remove this field, ask for the format in the prompt, and grade it with the scorer json_schema';

/** Settings that came later than the hashes of stored suites and runs, and the value with which each does nothing. */
const NEUTRAL = { min_p: 0, repetition_penalty: 1, presence_penalty: 0, frequency_penalty: 0 } as const;

/**
 * Settings that do nothing are left out, so that it does not matter whether they were written: an effective generation has one hash, and
 * the hashes from before these settings existed stay what they were.
 */
function withoutNeutral<T extends Partial<Record<keyof typeof NEUTRAL, number> & { logit_bias: object }>>(generation: T): T {
  const kept = { ...generation };
  for (const field of Object.keys(NEUTRAL) as (keyof typeof NEUTRAL)[]) if (kept[field] === NEUTRAL[field]) delete kept[field];
  if (kept.logit_bias !== undefined && Object.keys(kept.logit_bias).length === 0) delete kept.logit_bias;
  return kept;
}

/**
 * How answers are generated. Parsed: every default is filled; an absent thinking budget stays absent (inherit),
 * as do penalties, `min_p` and `logit_bias` that do nothing.
 */
export const Generation = z
  .object({
    temperature: z.number().min(0).max(2).default(0),
    top_p: z.number().gt(0).max(1).default(1),
    top_k: z.int().min(0).max(INT_MAX).default(0).meta({ description: '0 = no limit.' }),
    min_p: z
      .number()
      .min(0)
      .max(1)
      .exactOptional()
      .meta({ description: 'Tokens less likely than this share of the likeliest one are left out. Absent = 0 = none.' }),
    repetition_penalty: z
      .number()
      .gt(0)
      .max(10)
      .exactOptional()
      .meta({ description: 'Above 1, tokens of prompt and answer become less likely. Absent = 1.' }),
    presence_penalty: z
      .number()
      .min(-2)
      .max(2)
      .exactOptional()
      .meta({ description: 'Taken off the logit of a token that the answer has already. Absent = 0.' }),
    frequency_penalty: z
      .number()
      .min(-2)
      .max(2)
      .exactOptional()
      .meta({ description: 'Taken off the logit of a token as often as the answer has it already. Absent = 0.' }),
    logit_bias: LogitBias.exactOptional().meta({ description: 'Token ids, and what is added to their logits. Absent = {}.' }),
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
    response_format: z.never({ error: RESPONSE_FORMAT_REFUSED }).exactOptional().meta({
      description: 'Refused: answers are not constrained to a format. Grade it with the scorer `json_schema`.',
    }),
  })
  .overwrite(withoutNeutral)
  .meta({ id: 'Generation', description: 'Generation settings. Overrides replace the whole object; fields are not merged.' });
export type Generation = z.output<typeof Generation>;

/** Limits of the server on reasoning, for settings that name none. Absent = unlimited. */
export interface ThinkingDefaults {
  readonly thinking_budget_tokens?: number;
  readonly thinking_budget_ms?: number;
}

/** Generation settings as a person writes them: every field may be left out. */
export type GenerationInput = z.input<typeof Generation>;
