import { type CursorKey, encodeCursor } from './cursor.js';

/**
 * Cuts a list that was read one row further than asked for into its page and the cursor of the next.
 *
 * @param rows at most `limit` + 1, in the list's order
 * @param keyOf the key that the next page starts after
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => CursorKey,
): { shown: Row[]; next_cursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { shown, next_cursor: last === undefined ? null : encodeCursor(keyOf(last)) };
}
