import { z } from 'zod';
import { nonBlankText, Text } from '../scalars/text.js';
import { CodeEvalScorer } from '../scorer/executed-scorers.js';

const { code, reference_keys, timeout_seconds, tool_allowlist } = CodeEvalScorer.shape;
/** A Python function `score()`, which returns a value for every score that the eval declares. */
export const CodeEvalType = z
  .strictObject({
    type: z.literal('code_eval'),
    code,
    reference_keys,
    timeout_seconds,
    tool_allowlist,
  })
  .meta({ id: 'CodeEvalType' });

/** A model that grades by a Jinja template. */
export const LlmJudgeType = z
  .strictObject({
    type: z.literal('llm_judge'),
    model_name: nonBlankText(200),
    model_provider: nonBlankText(200).meta({ description: 'Not used: a judge is found by its name among the published models.' }),
    system_prompt: Text.nullable().default(null),
    prompt_template: Text.min(1),
    reference_keys: z.array(Text.min(1)).default(() => []),
    thinking_instruction: Text.nullable().default(null),
    g_eval: z
      .literal(false, { error: 'must be false: it weighs the probabilities of the judge’s tokens, which our engines do not report' })
      .default(false),
    judge_instructions: z
      .array(Text.min(1))
      .nullable()
      .default(null)
      .meta({ description: 'Stand where the template says {{ judge_instructions }}, else behind it.' }),
  })
  .meta({ id: 'LlmJudgeType' });
