import { z } from 'zod';
import { Text } from './text.js';

/**
 * An object whose keys are anybody's names. `z.record` drops the key `__proto__` without a word, and a scorer that looks at
 * the argument of that name would look at nothing: so it is refused.
 */
export function textRecord<Value extends z.ZodType>(value: Value) {
  return z.preprocess(
    (input, ctx) => {
      if (typeof input === 'object' && input !== null && Object.hasOwn(input, '__proto__')) {
        ctx.addIssue({ code: 'custom', input, message: 'has the key "__proto__", which cannot be a name here' });
      }
      return input;
    },
    z.record(Text, value),
  );
}
