import { z } from 'zod';
import { Text } from '../scalars/text.js';

/** Passes when the answer equals the target or an alias. */
export const ExactMatchScorer = z
  .object({
    kind: z.literal('exact_match'),
    case_sensitive: z.boolean().default(true),
    strip_whitespace: z.boolean().default(true).meta({ description: 'Remove white space around both sides first.' }),
  })
  .meta({ id: 'ExactMatchScorer' });

/** Passes when the answer contains any or all phrases. No phrases: every answer is `invalid`. */
export const ContainsScorer = z
  .object({
    kind: z.literal('contains'),
    phrases: z.array(
      Text.check((ctx) => {
        if (ctx.value === '')
          ctx.issues.push({ code: 'custom', input: '', message: 'must not be empty: every text contains it; remove it' });
      }),
    ),
    mode: z.enum(['any', 'all']).default('any').meta({ description: '`all` scores the share of phrases found and passes only at 1.' }),
    case_sensitive: z.boolean().default(true),
  })
  .meta({ id: 'ContainsScorer' });

/** Matches the answer; the captured text is compared with target and aliases when there are any. */
export const RegexScorer = z
  .object({
    kind: z.literal('regex'),
    pattern: Text.min(1),
    capture_group: z
      .union([z.int().min(0), Text.min(1)], { error: 'must be the number (0 = whole match) or the name of a capture group' })
      .nullable()
      .default(null),
    case_sensitive: z.boolean().default(true),
  })
  .meta({ id: 'RegexScorer' });

const CHOICES = ['A', 'B', 'C', 'D'];

/** Reads a choice label from the answer and compares it with the target. */
export const MultipleChoiceScorer = z
  .object({
    kind: z.literal('multiple_choice'),
    choices: z
      .array(Text.min(1).max(64))
      .min(1)
      .refine((labels) => new Set(labels.map((label) => label.toUpperCase())).size === labels.length, 'has a label twice; remove one')
      .default(() => [...CHOICES])
      .meta({ description: 'The labels, not the texts behind them.' }),
  })
  .meta({ id: 'MultipleChoiceScorer' });
