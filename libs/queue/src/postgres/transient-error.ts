/** Classes of SQLSTATE after which the same statement may be sent again: it was rolled back, or the server was going away. */
const TRANSIENT_STATES = /^(57P0[123]|08...|40001|40P01|53300|55006)$/;
const TRANSIENT_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
]);
const TRANSIENT_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout exceeded when trying to connect|timeout expired)/;

/** Did this fail because of the server or the connection, and not because of what was asked? */
export function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = String((error as { code?: unknown }).code ?? '');
  return TRANSIENT_STATES.test(code) || TRANSIENT_CODES.has(code) || TRANSIENT_MESSAGES.test(error.message);
}
