import { z } from 'zod';
import { nonBlankText } from '../scalars/text.js';
import {
  ContainsType,
  ExactMatchType,
  PatternMatchType,
  SetCheckType,
  StepCountCheckType,
  ToolCallCheckType,
} from './deterministic-types.js';
import { CodeEvalType, LlmJudgeType } from './executed-types.js';
import { OutputScore, scoreKey } from './output-score.js';

const EVAL_TYPES = [
  'exact_match',
  'pattern_match',
  'contains',
  'set_check',
  'tool_call_check',
  'step_count_check',
  'code_eval',
  'llm_judge',
] as const;

export const EvalTypeProperties = z
  .discriminatedUnion(
    'type',
    [ExactMatchType, PatternMatchType, ContainsType, SetCheckType, ToolCallCheckType, StepCountCheckType, CodeEvalType, LlmJudgeType],
    { error: (issue) => (issue.code === 'invalid_union' ? `unknown eval type; known types: ${EVAL_TYPES.join(', ')}` : undefined) },
  )
  .meta({ id: 'EvalTypeProperties' });
export type EvalTypeProperties = z.output<typeof EvalTypeProperties>;

/** Their values are computed by a judge or by code; all the others write 1 or 0 to every declared score. */
const RATING_TYPES: ReadonlySet<EvalTypeProperties['type']> = new Set(['code_eval', 'llm_judge']);

/** An eval configuration with one of the eight types, and the scores that its eval declares (contracts.md §4.3). */
export const EvalConfig = z
  .object({
    name: nonBlankText(200).nullable().default(null),
    properties: EvalTypeProperties,
    output_scores: z
      .array(OutputScore)
      .min(1)
      .default(() => [{ name: 'score', type: 'pass_fail' as const }]),
  })
  .check(({ value: { properties, output_scores: scores }, issues }) => {
    const refuse = (index: number, field: string, message: string): void => {
      issues.push({ code: 'custom', input: scores[index], path: ['output_scores', index, field], message });
    };
    const keys = new Set<string>();
    for (const [index, { name, type }] of scores.entries()) {
      if (keys.has(scoreKey(name))) refuse(index, 'name', `gives the key ${scoreKey(name)} a second time; rename it`);
      keys.add(scoreKey(name));
      if (type === 'five_star' && !RATING_TYPES.has(properties.type)) {
        refuse(index, 'type', `must not be five_star: ${properties.type} writes 1 or 0, and 0 is no number of stars; use pass_fail`);
      }
    }
  })
  .meta({ id: 'EvalConfig' });
export type EvalConfig = z.output<typeof EvalConfig>;
