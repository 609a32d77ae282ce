import { z } from 'zod';
import { unstorableReason } from '../scalars/text.js';
import { LabelKey } from './labels.js';

/** `key=value` of a query; the value may itself contain "=". */
export const LabelFilter = z.string().transform((text, ctx) => {
  const split = text.indexOf('=');
  const key = text.slice(0, Math.max(split, 0));
  const unstorable = unstorableReason(text);
  if (LabelKey.safeParse(key).success && unstorable === null) return { key, value: text.slice(split + 1) };
  ctx.issues.push({ code: 'custom', input: text, message: unstorable ?? 'must be key=value, such as "git_sha=4f0c2d1"' });
  return z.NEVER;
});
export type LabelFilter = z.output<typeof LabelFilter>;
