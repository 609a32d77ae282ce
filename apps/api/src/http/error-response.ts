import { HttpException } from '@nestjs/common';
import { type ErrorBody, type ErrorCode, KilnError, RETRY_AFTER_SECONDS } from '@kiln/contracts';
import { isTransient } from '@kiln/database';

export interface ErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: ErrorBody;
  /** The cause is ours or the environment's, not the caller's: it belongs in the log. */
  unexpected: boolean;
}

/** Refusals of the framework that are not simply an invalid request, by status: ours say what to do instead. */
const BY_STATUS: Record<number, { code: ErrorCode; message?: string; hint?: string }> = {
  404: { code: 'not_found' },
  413: {
    code: 'payload_too_large',
    message: 'the request body is larger than this server reads at once',
    hint: 'Register a large suite as a stream of any length: POST /v1/eval/suites with content-type application/jsonl, the header on the first line and one example on each other line.',
  },
  415: {
    code: 'unsupported_media_type',
    message: 'this content-type is not read here',
    hint: 'Send content-type: application/json; suites may also be application/yaml or application/jsonl.',
  },
};

/**
 * What a thrown value becomes on the wire. Only a KilnError's own words reach the caller: other messages may name hosts,
 * files or statements, so they are replaced and logged under the request's id.
 *
 * @param requestId named in the message of an internal error, so that it can be found in the log
 */
export function errorResponse(thrown: unknown, requestId: string): ErrorResponse {
  const error = toKilnError(thrown, requestId);
  const headers: Record<string, string> = {};
  const retryAfter = RETRY_AFTER_SECONDS[error.code];
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (error.code === 'unauthorized') headers['www-authenticate'] = 'Bearer';
  const unexpected = error.code === 'internal_error' || error.code === 'database_unavailable';
  return { status: error.status, headers, body: error.toBody(), unexpected };
}

function toKilnError(thrown: unknown, requestId: string): KilnError {
  if (thrown instanceof KilnError) return thrown;
  if (isTransient(thrown)) {
    return new KilnError('database_unavailable', 'the database cannot be reached just now', {
      hint: 'Send it again in a few seconds; a submission with an Idempotency-Key is never doubled by that.',
    });
  }
  const status = statusOf(thrown);
  if (status !== null && status >= 400 && status < 500) {
    const { code, message, hint } = BY_STATUS[status] ?? { code: 'eval_invalid_request' };
    return new KilnError(code, message ?? (thrown as Error).message, hint === undefined ? {} : { hint });
  }
  return new KilnError('internal_error', `internal error (request ${requestId})`, {
    hint: 'The server’s log holds the cause under this request id.',
  });
}

/** The status that the framework gave its own error. */
function statusOf(thrown: unknown): number | null {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (!(thrown instanceof Error)) return null;
  const { statusCode } = thrown as { statusCode?: unknown };
  return typeof statusCode === 'number' ? statusCode : null;
}
