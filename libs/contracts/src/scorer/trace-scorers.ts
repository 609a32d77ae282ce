import { z } from 'zod';
import { JsonValue } from '../scalars/json-value.js';
import { textRecord } from '../scalars/text-record.js';
import { Text } from '../scalars/text.js';

const ExpectedArgument = z
  .object({ value: JsonValue, match_mode: z.enum(['exact', 'contains', 'regex']).default('exact') })
  .meta({ id: 'ExpectedArgument' });

const ExpectedTool = z
  .object({
    tool_name: Text.min(1),
    expected_args: textRecord(ExpectedArgument)
      .nullable()
      .default(null)
      .meta({ description: 'Arguments that are not listed may be anything.' }),
  })
  .meta({ id: 'ExpectedTool' });
export type ExpectedTool = z.infer<typeof ExpectedTool>;

/** Which tools were called, over the whole trace. */
export const ToolCallCheckScorer = z
  .object({
    kind: z.literal('tool_call_check'),
    expected_tools: z.array(ExpectedTool).min(1),
    match_mode: z
      .enum(['any', 'all', 'ordered', 'never'])
      .default('all')
      .meta({ description: '`ordered`: as a subsequence of the calls.' }),
    on_unexpected_tools: z.enum(['ignore', 'fail']).default('ignore'),
  })
  .meta({ id: 'ToolCallCheckScorer' });

/** How many steps the trace took; both bounds are included. */
export const StepCountCheckScorer = z
  .object({
    kind: z.literal('step_count_check'),
    count_type: z.enum(['tool_calls', 'model_responses', 'turns']).meta({ description: 'turns = user messages.' }),
    min_count: z.int().min(0).nullable().default(null),
    max_count: z.int().min(0).nullable().default(null),
  })
  .check(({ value, issues }) => {
    const { min_count: min, max_count: max } = value;
    if (min === null && max === null) issues.push({ code: 'custom', input: value, message: 'needs min_count or max_count' });
    if (min !== null && max !== null && min > max) {
      issues.push({ code: 'custom', input: max, path: ['max_count'], message: `must be at least min_count, ${min}` });
    }
  })
  .meta({ id: 'StepCountCheckScorer' });
