import { z } from 'zod';

/** A position in a list, as the previous page gave it. Opaque: it names the last row's key, not an offset. */
export const Cursor = z.string().min(1).max(2048);

/** Query fields of every paged list. */
export const pageQuery = {
  cursor: Cursor.exactOptional().meta({ description: 'next_cursor of the page before.' }),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
};

/** A page of a list: `next_cursor` is null on the last one. */
export function page<K extends string, S extends z.ZodType>(key: K, item: S) {
  return z.object({ [key]: z.array(item), next_cursor: z.string().nullable() } as Record<K, z.ZodArray<S>> & {
    next_cursor: z.ZodNullable<z.ZodString>;
  });
}

const FLAGS = { true: true, '1': true, false: false, '0': false };

/** `true`, `false`, `1` or `0` in a query. */
export function flag(description: string) {
  return z
    .codec(z.enum(['true', '1', 'false', '0'], { error: 'must be true or false' }), z.boolean(), {
      decode: (text) => FLAGS[text],
      encode: (value) => (value ? 'true' : 'false'),
    })
    .default(false)
    .meta({ type: 'boolean', description });
}

/** Makes a submission safe to send again: the same key and body get the first answer for 24 hours, another body 409. */
export const IdempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\u0021-\u007e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
    .exactOptional()
    .meta({ description: 'Submitting again with the same key and body gets the first answer, for 24 hours.' }),
});

export const JobParams = z.object({ id: z.string().min(1).max(200) });

/** A query field that may be repeated (`state=queued&state=running`). */
export function listed<S extends z.ZodType>(item: S) {
  return z.preprocess((value) => (value === undefined || Array.isArray(value) ? value : [value]), z.array(item).min(1).max(32));
}
