const MESSAGE_LIMIT = 2_000;
const STACK_LIMIT = 4_000;
const CAUSE_LIMIT = 3;

export interface SerializedError {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: SerializedError;
}

/**
 * An error as it goes into a log line: type, message, code, stack and up to three causes, each cut to a fixed length, because a
 * driver may quote a whole statement, and a model's whole answer, in its message. Other own fields (pg's `detail` and `where`
 * quote rows) are left out.
 */
export function serializeError(error: unknown, depth = 0): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error, message: cut(describe(error), MESSAGE_LIMIT) };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return {
    type: error.name,
    message: cut(error.message, MESSAGE_LIMIT),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: cut(String(code), 100) } : {}),
    ...(error.stack === undefined ? {} : { stack: cut(error.stack, STACK_LIMIT) }),
    ...(cause === undefined || depth >= CAUSE_LIMIT ? {} : { cause: serializeError(cause, depth + 1) }),
  };
}

function describe(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

function cut(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length - limit} more characters)`;
}
