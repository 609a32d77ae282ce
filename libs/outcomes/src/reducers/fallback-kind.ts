import { type OutcomeKind } from '@kiln/contracts';
import { type JudgedRows } from './reduction.js';

/**
 * The kind of a group that does not pass: `fail` if any completion failed, else `invalid` if any was invalid, else
 * `error`. A measured failure outweighs an unreadable answer, and both outweigh infrastructure.
 */
export function fallbackKind(rows: JudgedRows): OutcomeKind {
  if (rows.some((row) => row.kind === 'fail')) return 'fail';
  return rows.some((row) => row.kind === 'invalid') ? 'invalid' : 'error';
}
