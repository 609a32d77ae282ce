import { z } from 'zod';
import { unstorableReason } from '../scalars/text.js';

const MAX_LENGTH = 200;
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Why `name` cannot name a suite, and what to write instead; null when it can. */
export function suiteNameFlaw(name: string): string | null {
  if (name.trim() === '') return 'must not be blank';
  if (/[/\\]/.test(name) || name.includes('..') || name === '.') {
    return 'must not contain "/", "\\" or "..", because names become paths; use "-" or "_" instead';
  }
  if (CONTROL.test(name)) return 'must not contain control characters such as line breaks; remove them';
  if (name.length > MAX_LENGTH) return `has ${name.length} characters; the limit is ${MAX_LENGTH}`;
  return unstorableReason(name);
}

/** The name of a suite, unique in its project. Errors carry the code `invalid_suite_name`. */
export const SuiteName = z
  .string()
  .check((ctx) => {
    const message = suiteNameFlaw(ctx.value);
    if (message) ctx.issues.push({ code: 'custom', input: ctx.value, message, params: { code: 'invalid_suite_name' } });
  })
  .meta({ id: 'SuiteName', minLength: 1, maxLength: MAX_LENGTH, description: 'Not blank; no "/", "\\" or "..".' });
