import { z } from 'zod';
import { Text } from '../scalars/text.js';
import { ReferenceKey, ValueExpression } from '../scorer/scored-value.js';
import { StepCountCheckScorer, ToolCallCheckScorer } from '../scorer/trace-scorers.js';
import { exactlyOne } from './exactly-one.js';

/** Equality with a text or with a value of the reference; white space counts. */
export const ExactMatchType = z
  .strictObject({
    type: z.literal('exact_match'),
    value_expression: ValueExpression,
    expected_value: Text.nullable().default(null),
    reference_key: ReferenceKey,
    case_sensitive: z.boolean().default(true),
  })
  .check(exactlyOne('expected_value', 'reference_key'))
  .meta({ id: 'ExactMatchType' });

/** A search for a regular expression. */
export const PatternMatchType = z
  .strictObject({
    type: z.literal('pattern_match'),
    value_expression: ValueExpression,
    pattern: Text.min(1),
    mode: z.enum(['must_match', 'must_not_match']).default('must_match'),
  })
  .meta({ id: 'PatternMatchType' });

/** A search for a text or for a value of the reference. */
export const ContainsType = z
  .strictObject({
    type: z.literal('contains'),
    value_expression: ValueExpression,
    substring: Text.min(1).nullable().default(null),
    reference_key: ReferenceKey,
    case_sensitive: z.boolean().default(true),
    mode: z.enum(['must_contain', 'must_not_contain']).default('must_contain'),
  })
  .check(exactlyOne('substring', 'reference_key'))
  .meta({ id: 'ContainsType' });

/** A comparison of sets; `mode` says what the answer must be of the expected set. */
export const SetCheckType = z
  .strictObject({
    type: z.literal('set_check'),
    value_expression: ValueExpression,
    expected_set: z.array(Text).nullable().default(null),
    reference_key: ReferenceKey,
    mode: z.enum(['subset', 'superset', 'equal']),
  })
  .check(exactlyOne('expected_set', 'reference_key'))
  .meta({ id: 'SetCheckType' });

const { kind: _toolCallCheck, ...toolCallCheckFields } = ToolCallCheckScorer.shape;
/** Which tools were called. */
export const ToolCallCheckType = z
  .strictObject({ type: z.literal('tool_call_check'), ...toolCallCheckFields })
  .meta({ id: 'ToolCallCheckType' });

const { kind: _stepCountCheck, ...stepCountCheckFields } = StepCountCheckScorer.shape;
/** How many steps were taken. The scorer that it becomes checks the bounds against each other. */
export const StepCountCheckType = z
  .strictObject({ type: z.literal('step_count_check'), ...stepCountCheckFields })
  .meta({ id: 'StepCountCheckType' });
