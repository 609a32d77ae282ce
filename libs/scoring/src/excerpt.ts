/** Score details are stored once a sample, up to millions of times: they quote, they never copy. */
const MAX_CHARACTERS = 120;

// oxlint-disable-next-line no-control-regex -- NUL is what the database cannot hold
const UNSTORABLE = /\p{Surrogate}|\u0000/gu;

/**
 * A quotation of `text` for a score's detail: at most 120 UTF-16 units and an ellipsis, never half a surrogate pair,
 * with characters that PostgreSQL cannot hold replaced by U+FFFD.
 */
export function excerpt(text: string): string {
  const short = text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')}…`;
  return short.replace(UNSTORABLE, '\uFFFD');
}
