/**
 * A value as the JSON text that a `jsonb` parameter takes. Texts from models and servers may hold what Postgres cannot: NUL and
 * halves of surrogate pairs become U+FFFD. The decoder's own bytes are stored elsewhere, as they are.
 *
 * @returns null for null and undefined
 */
export function storableJson(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(storable(value));
}

/** The same for a plain `text` parameter. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [storableText(key), storable(entry)]));
}
