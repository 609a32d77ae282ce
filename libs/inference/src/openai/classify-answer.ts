import { type SampleError } from '../generator.js';
import { type HttpAnswer, type HttpFailure } from './post-json.js';

const SHOWN_CHARACTERS = 300;

/** Statuses that say "later": time-out, conflict, too early, too many requests, and the server's own failures. */
const TRANSIENT = new Set([408, 409, 425, 429]);

/** Why an answer with a status other than 200 is an error, and whether asking again may help. */
export function classifyAnswer({ status, body }: HttpAnswer): SampleError {
  const { code, message } = errorOf(body);
  const shown = `${status}${message === '' ? '' : `: ${message}`}`;
  if (status === 429 && code === 'insufficient_quota') {
    return { code: 'endpoint_quota_exhausted', message: `the endpoint's quota is used up (${shown})`, retryable: false };
  }
  if (code === 'context_length_exceeded')
    return { code: 'prompt_too_long', message: `the endpoint refused the prompt (${shown})`, retryable: false };
  if (status === 429) return { code: 'endpoint_rate_limited', message: `the endpoint asked to slow down (${shown})`, retryable: true };
  if (status === 401 || status === 403) {
    return { code: 'endpoint_unauthorized', message: `the endpoint refused the key (${shown}); check api_key_env`, retryable: false };
  }
  if (status >= 500 || TRANSIENT.has(status))
    return { code: 'endpoint_unavailable', message: `the endpoint failed (${shown})`, retryable: true };
  return { code: 'endpoint_refused', message: `the endpoint refused the request (${shown})`, retryable: false };
}

/** An answer that never came in full. One that is too large would be so again. */
export function classifyFailure({ reason, message }: HttpFailure): SampleError {
  switch (reason) {
    case 'timeout':
      return { code: 'endpoint_timeout', message, retryable: true };
    case 'network':
      return { code: 'endpoint_unreachable', message, retryable: true };
    case 'too_large':
      return { code: 'endpoint_response_too_large', message, retryable: false };
  }
}

/** Code and message of an OpenAI-shaped error body, or the beginning of whatever came. */
function errorOf(body: string): { code: string; message: string } {
  try {
    const parsed = JSON.parse(body) as { error?: { code?: unknown; type?: unknown; message?: unknown } | string; message?: unknown };
    const { error } = parsed;
    if (typeof error === 'object' && error !== null)
      return { code: String(error.code ?? error.type ?? ''), message: shorten(error.message) };
    return { code: '', message: shorten(error ?? parsed.message) };
  } catch {
    return { code: '', message: shorten(body) };
  }
}

function shorten(text: unknown): string {
  const line = typeof text === 'string' ? text.replaceAll(/\s+/g, ' ').trim() : '';
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}
