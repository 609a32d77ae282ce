const MASK = '***';

/** Keys whose text is never logged. Matched at their end, so that `OPENAI_API_KEY` and `x-api-key` are caught too. */
const SECRET_KEYS = String.raw`[^"\\]*(?:authorization|api[-_]?key|apikey|password|passwd|secret|cookie)|token|access[-_]?token|refresh[-_]?token`;
const JSON_TEXT = String.raw`"(?:[^"\\]|\\.)*"`;

const SECRET_FIELD = new RegExp(String.raw`"(${SECRET_KEYS})":(?:${JSON_TEXT}|\[(?:${JSON_TEXT},?)*\])`, 'gi');
const URL_PASSWORD = /([a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@"\\]*):[^\s/@"\\]+@/gi;
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9+/=._~-]{8,}/gi;
const KILN_KEY = /\bkiln_[A-Za-z0-9_-]{20,}/g;

/**
 * Masks secrets in one finished JSON log line: fields named like a secret, passwords inside URLs, bearer tokens, and our own
 * API keys, wherever they stand (message, stack, nested object). It works on the text because a list of paths, as pino's own
 * redaction takes, misses every place that nobody thought of.
 */
export function redactLine(line: string): string {
  return line
    .replace(SECRET_FIELD, `"$1":"${MASK}"`)
    .replace(URL_PASSWORD, `$1:${MASK}@`)
    .replace(BEARER, `$1 ${MASK}`)
    .replace(KILN_KEY, `kiln_${MASK}`);
}
