import { type z } from 'zod';
import { Text } from '../scalars/text.js';

/** What of the answer is looked at. */
export const ValueExpression = Text.min(1)
  .max(4096)
  .nullable()
  .default(null)
  .meta({ description: 'A Jinja expression over final_message, trace, reference_data and task_input; null = the answer.' });

/** Where the expected value stands in the example's `reference`. */
export const ReferenceKey = Text.min(1).max(512).nullable().default(null).meta({ description: 'A key of the example’s reference.' });

/** Refuses an object that states the expected value in two ways. */
export function atMostOne<A extends string, B extends string>(first: A, second: B) {
  return ({ value, issues }: { value: Record<A | B, unknown>; issues: z.core.$ZodRawIssue[] }): void => {
    if (value[first] === null || value[second] === null) return;
    issues.push({ code: 'custom', input: value[second], path: [second], message: `leave it out, or leave out ${first}` });
  };
}
