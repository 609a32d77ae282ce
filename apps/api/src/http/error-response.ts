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

/** Codes that Fastify gives to errors of reading a request, and ours for them. Others with a 4xx status are invalid requests. */
const FASTIFY_CODES: Record<string, { code: ErrorCode; message: string; hint: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    code: 'payload_too_large',
    message: 'the request body is larger than this server reads at once',
    hint: 'Register a large suite as a stream of any length: POST /v1/eval/suites with content-type application/jsonl, the header on the first line and one example on each other line.',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'unsupported_media_type',
    message: 'this content-type is not read here',
    hint: 'Send content-type: application/json; suites may also be application/yaml or application/jsonl.',
  },
};

const BY_STATUS: Record<number, ErrorCode> = { 404: 'not_found', 413: 'payload_too_large', 415: 'unsupported_media_type' };

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
  const { code, statusCode } = thrown as { code?: unknown; statusCode?: unknown };
  const known = typeof code === 'string' ? FASTIFY_CODES[code] : undefined;
  if (known) return new KilnError(known.code, known.message, { hint: known.hint });
  if (thrown instanceof HttpException) return fromStatus(thrown.getStatus(), thrown.message) ?? internal(requestId);
  if (isTransient(thrown)) {
    return new KilnError('database_unavailable', 'the database cannot be reached just now', {
      hint: 'Nothing was changed by this request; send it again in a few seconds.',
    });
  }
  if (thrown instanceof Error && typeof statusCode === 'number') {
    return fromStatus(statusCode, thrown.message) ?? internal(requestId);
  }
  return internal(requestId);
}

function fromStatus(status: number, message: string): KilnError | undefined {
  if (status < 400 || status >= 500) return undefined;
  return new KilnError(BY_STATUS[status] ?? 'eval_invalid_request', message);
}

function internal(requestId: string): KilnError {
  return new KilnError('internal_error', `internal error (request ${requestId})`, {
    hint: 'The server’s log holds the cause under this request id.',
  });
}
