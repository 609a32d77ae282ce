import { z } from 'zod';
import { Text } from '../scalars/text.js';

const KEY = /^[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?$/;
const MAX_LABELS = 32;

export const MAX_LABEL_LENGTH = 256;

export const LabelKey = z
  .string()
  .regex(KEY, 'must be 1 to 63 letters, digits, ".", "_", "-" or "/", beginning and ending with a letter or digit');

/** Values may be written as numbers or booleans (`"step": 1200`); they are text from then on, and filters compare text. */
export const LabelValue = z.preprocess(
  (value) => (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) ? String(value) : value),
  Text.max(MAX_LABEL_LENGTH),
);

/** What a caller attaches to a job to find it again: git sha, training step, branch. */
export const Labels = z
  .record(LabelKey, LabelValue)
  .refine((labels) => Object.keys(labels).length <= MAX_LABELS, `has more than ${MAX_LABELS} labels; remove some`)
  .meta({ id: 'Labels' });
export type Labels = z.output<typeof Labels>;
