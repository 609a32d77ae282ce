import { z } from 'zod';
import { Text } from './text.js';

/**
 * An object whose keys are anybody's names. `z.record` drops the key `__proto__` without a word, and a scorer that looks at
 * the argument of that name would look at nothing: so it is refused.
 */
export function textRecord<Value extends z.ZodType>(value: Value) {
  const record = z.record(Text, value);
  const { run } = record._zod;
  // Not z.preprocess: with a transform inside, zod leaves defaults out of the JSON Schema of everything around it.
  record._zod.run = (payload, ctx) => {
    const input = payload.value;
    if (typeof input === 'object' && input !== null && Object.hasOwn(input, '__proto__')) {
      payload.issues.push({ code: 'custom', input, path: [], message: 'has the key "__proto__", which cannot be a name here' });
    }
    return run(payload, ctx);
  };
  return record;
}
