import { z } from 'zod';
import { LabelKey } from './labels.js';

/** `key=value` of a query; the value may itself contain "=". */
export const LabelFilter = z.string().transform((text, ctx) => {
  const split = text.indexOf('=');
  const key = text.slice(0, Math.max(split, 0));
  if (LabelKey.safeParse(key).success) return { key, value: text.slice(split + 1) };
  ctx.issues.push({ code: 'custom', input: text, message: 'must be key=value, such as "git_sha=4f0c2d1"' });
  return z.NEVER;
});
export type LabelFilter = z.output<typeof LabelFilter>;
