import { KilnError } from '@kiln/contracts';

/** An error of the database driver with what to do about it; ours stay as they are. */
export function databaseError(error: unknown): unknown {
  if (error instanceof KilnError) return error;
  const { code, message } = error as { code?: unknown; message?: unknown };
  const hint = code === '42P01' || code === '3F000' ? 'run kiln migrate first' : 'check the database URL';
  return new KilnError('database_unavailable', `the database refused: ${String(message) || String(code)}`, { hint, cause: error });
}
