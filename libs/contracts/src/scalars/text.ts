import { z } from 'zod';

const NUL = '\u0000';

/**
 * Why PostgreSQL cannot hold `text`, as a sentence for the person who sent it; null when it can.
 *
 * `text` and `jsonb` refuse U+0000 and anything that is not valid UTF-8, and a lone UTF-16 surrogate has no UTF-8 form.
 * Refusing at the edge keeps a suite from failing half-way through its own registration.
 */
export function unstorableReason(text: string): string | null {
  if (text.includes(NUL)) return 'contains the NUL character (U+0000), which the database cannot hold; remove it';
  if (!text.isWellFormed()) {
    return 'contains half of a surrogate pair, which is not a character; send valid Unicode text';
  }
  return null;
}

/** Any string that can be stored, the empty one included. */
export const Text = z.string().check((ctx) => {
  const reason = unstorableReason(ctx.value);
  if (reason) ctx.issues.push({ code: 'custom', input: ctx.value, message: reason });
});

/** Anything but white space of any script, controls, format characters such as the zero-width space, and fillers that are drawn blank. */
const VISIBLE = /[^\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A storable string with at least one visible character, of at most `max` UTF-16 units. */
export function nonBlankText(max: number) {
  return Text.check((ctx) => {
    if (!VISIBLE.test(ctx.value)) {
      ctx.issues.push({ code: 'custom', input: ctx.value, message: 'must not be blank; write at least one visible character' });
    } else if (ctx.value.length > max) {
      ctx.issues.push({ code: 'custom', input: ctx.value, message: `has ${ctx.value.length} characters; the limit is ${max}` });
    }
  }).meta({ minLength: 1, maxLength: max });
}
