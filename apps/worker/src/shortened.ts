const MAX_MESSAGE = 2000;

/** Messages may quote a model or a server at any length. */
export function shortened(text: string): string {
  return text.slice(0, MAX_MESSAGE);
}
