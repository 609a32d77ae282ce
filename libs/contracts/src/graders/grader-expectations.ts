import { z } from 'zod';
import { JsonValue } from '../scalars/json-value.js';
import { Text } from '../scalars/text.js';
import { BashScorer } from '../scorer/executed-scorers.js';
import { JudgeScorer } from '../scorer/judge-scorers.js';
import { JsonSchemaScorer } from '../scorer/structure-scorers.js';
import { type Grader } from './grader.js';

/** JavaScript's flags. `g`, `u` and `d` do not change whether a pattern matches. */
const RegexFlags = Text.regex(/^[imsgud]*$/, 'may hold i, m and s (and g, u and d, which change nothing)').default('');

/** What the `expect` of a case must hold for each type of grader. */
export const GRADER_EXPECTATIONS = {
  exact: z.strictObject({ text: Text }).meta({ id: 'ExactExpectation' }),
  contains: z.strictObject({ strings: z.array(Text.min(1)).min(1) }).meta({ id: 'ContainsExpectation' }),
  regex: z.strictObject({ pattern: Text.min(1), flags: RegexFlags }).meta({ id: 'RegexExpectation' }),
  json_schema: z.strictObject({ schema: JsonSchemaScorer.shape.schema }).meta({ id: 'JsonSchemaExpectation' }),
  bash: z
    .object({ script: BashScorer.shape.script })
    .catchall(JsonValue)
    .meta({ id: 'BashExpectation', description: 'Scalars beside the script are its EVAL_EXPECT_<KEY>.' }),
  judge: z.strictObject({ claims: JudgeScorer.shape.claims }).meta({ id: 'JudgeExpectation' }),
} as const satisfies { [type in Grader['type']]: z.ZodType };
