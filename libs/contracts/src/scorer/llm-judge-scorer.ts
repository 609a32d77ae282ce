import { z } from 'zod';
import { Text } from '../scalars/text.js';

export const DEFAULT_SCORE_REGEX = '(?i)score[:\\s]*([01](?:\\.\\d+)?)';

/** A model grades the answer. Placeholders of the template: {question} (last user message), {target}, {answer}. */
export const LlmJudgeScorer = z
  .object({
    kind: z.literal('llm_judge'),
    judge_adapter: Text.nullable().default(null).meta({ description: 'null = the base model.' }),
    template: Text.min(1),
    score_regex: Text.min(1).default(DEFAULT_SCORE_REGEX),
  })
  .meta({ id: 'LlmJudgeScorer' });
