import { z } from 'zod';
import { Text } from '../scalars/text.js';
import { atMostOne, ReferenceKey, ValueExpression } from './scored-value.js';

/** Passes when the answer equals the expected text: `expected_value`, the example's reference, or else its target or an alias. */
export const ExactMatchScorer = z
  .object({
    kind: z.literal('exact_match'),
    case_sensitive: z.boolean().default(true),
    strip_whitespace: z.boolean().default(true).meta({ description: 'Remove white space around both sides first.' }),
    value_expression: ValueExpression,
    expected_value: Text.nullable().default(null),
    reference_key: ReferenceKey,
  })
  .check(atMostOne('expected_value', 'reference_key'))
  .meta({ id: 'ExactMatchScorer' });

/** Passes when the answer contains any, all or none of the phrases. No phrases: every answer is `invalid`. */
export const ContainsScorer = z
  .object({
    kind: z.literal('contains'),
    phrases: z
      .array(
        Text.check((ctx) => {
          if (ctx.value === '')
            ctx.issues.push({ code: 'custom', input: '', message: 'must not be empty: every text contains it; remove it' });
        }),
      )
      .default(() => []),
    mode: z
      .enum(['any', 'all', 'none'])
      .default('any')
      .meta({ description: '`all` scores the share of phrases found and passes only at 1.' }),
    case_sensitive: z.boolean().default(true),
    value_expression: ValueExpression,
    reference_key: ReferenceKey.meta({ description: 'A text of the example’s reference that is a phrase too.' }),
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

/** Passes when the pattern is found in the answer, or is not. */
export const PatternMatchScorer = z
  .object({
    kind: z.literal('pattern_match'),
    pattern: Text.min(1),
    mode: z.enum(['must_match', 'must_not_match']).default('must_match'),
    case_sensitive: z.boolean().default(true),
    value_expression: ValueExpression,
  })
  .meta({ id: 'PatternMatchScorer' });

/** Compares the answer, read as a set, with the expected set; without one, with the target read the same way. */
export const SetCheckScorer = z
  .object({
    kind: z.literal('set_check'),
    expected_set: z.array(Text).nullable().default(null),
    reference_key: ReferenceKey,
    mode: z.enum(['subset', 'superset', 'equal']).meta({ description: 'What the answer must be of the expected set.' }),
    value_expression: ValueExpression,
  })
  .check(atMostOne('expected_set', 'reference_key'))
  .meta({ id: 'SetCheckScorer' });

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
