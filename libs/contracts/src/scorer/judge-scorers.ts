import { z } from 'zod';
import { Text, nonBlankText } from '../scalars/text.js';

export const DEFAULT_SCORE_REGEX = '(?i)score[:\\s]*([01](?:\\.\\d+)?)';

/** Who judges. The judge model is named by the scorer, else by the job's `judge`, else it is the model that is evaluated. */
const judgeFields = {
  judge_model: nonBlankText(200).nullable().default(null).meta({ description: 'A published model; null = the job’s judge.' }),
  judge_adapter: Text.nullable().default(null).meta({ description: 'null = the base model.' }),
  max_tokens: z.int().min(1).max(32_768).default(1024),
  temperature: z.number().min(0).max(2).default(0),
};

const Repetitions = z.int().min(1).max(10).meta({ description: 'Calls to the judge; how far they disagree is recorded.' });

/** A model grades the answer. Placeholders of the template: {question} (last user message), {target}, {answer}. */
export const LlmJudgeScorer = z
  .object({
    kind: z.literal('llm_judge'),
    template: Text.min(1),
    system_prompt: Text.nullable().default(null),
    score_regex: Text.min(1).default(DEFAULT_SCORE_REGEX),
    grader_reps: Repetitions.default(1),
    ...judgeFields,
  })
  .meta({ id: 'LlmJudgeScorer' });

/** A model says of each claim whether the answer meets it. Passes when every claim is met in most repetitions. */
export const JudgeScorer = z
  .object({
    kind: z.literal('judge'),
    claims: z.array(nonBlankText(4096)).min(1).max(64),
    grader_reps: Repetitions.default(2),
    ...judgeFields,
  })
  .meta({ id: 'JudgeScorer' });

/** A model picks the better of the answer and the target, asked in both orders. A pick that changes with the order is a tie. */
export const PairwiseJudgeScorer = z
  .object({
    kind: z.literal('pairwise_judge'),
    criteria: nonBlankText(8192).nullable().default(null).meta({ description: 'What makes an answer better; null = a general rubric.' }),
    grader_reps: Repetitions.default(1),
    ...judgeFields,
  })
  .meta({ id: 'PairwiseJudgeScorer' });
