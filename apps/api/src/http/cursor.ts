import { KilnError } from '@kiln/contracts';
import { UUID } from './uuid.js';

/** Part of a list's key: what the next page starts after. */
export type CursorKey = readonly (string | number)[];

/** Writes the last row's key as the opaque `next_cursor`. */
export function encodeCursor(key: CursorKey): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/**
 * Reads a cursor that `encodeCursor` wrote.
 *
 * @param shape a regular expression for each part of the key, in order; parts are compared as text
 * @returns the parts as text, or null when there is no cursor
 * @throws KilnError `eval_invalid_request` for anything else: it goes into SQL parameters, which must have their types
 */
export function decodeCursor(cursor: string | undefined, shape: readonly RegExp[]): string[] | null {
  if (cursor === undefined) return null;
  const parts = parse(cursor);
  if (parts?.length === shape.length && parts.every((part, index) => shape[index]?.test(part))) return parts;
  throw new KilnError('eval_invalid_request', 'cursor: is not one that this list gave', {
    path: 'cursor',
    hint: 'Send next_cursor of the page before, unchanged, or nothing for the first page.',
  });
}

function parse(cursor: string): string[] | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value.map(String) : null;
  } catch {
    return null;
  }
}

/** Shapes of key parts. */
export const CURSOR_PART = {
  /** Fits Postgres' `integer`. */
  integer: /^\d{1,9}$/,
  /** Microseconds since 1970; fits `bigint`. */
  micros: /^\d{1,17}$/,
  uuid: UUID,
  /** A name: no control characters, of which Postgres cannot hold NUL. */
  text: /^\P{Cc}*$/u,
} as const;
