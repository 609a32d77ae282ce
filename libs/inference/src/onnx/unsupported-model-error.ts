/** The graph is not a language model of a kind that can be run here; the message says what is in the way. */
export class UnsupportedModelError extends Error {
  override readonly name = 'UnsupportedModelError';
}
