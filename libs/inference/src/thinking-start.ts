/**
 * Where a completion begins: `inside` reasoning (the prompt ends with an open `<think>`), `outside`, or `unknown` when the
 * prompt cannot be seen, as behind an HTTP endpoint.
 */
export type ThinkingStart = 'inside' | 'outside' | 'unknown';

export const THINK_OPEN = '<think>';
export const THINK_CLOSE = '</think>';

/**
 * Decides from the end of the rendered prompt, never from the model's name: templates open the tag (`<think>\n`), close it at
 * once to switch reasoning off (`<think>\n\n</think>\n\n`), or write neither. A tag inside a message does not count.
 */
export function thinkingStart(renderedPrompt: string): 'inside' | 'outside' {
  return renderedPrompt.trimEnd().endsWith(THINK_OPEN) ? 'inside' : 'outside';
}

/**
 * The text that ends reasoning by force, in the style of the reasoning itself: models that put the opening tag on a line of
 * its own were trained to do so with the closing one.
 */
export function thinkingCloseText(renderedPrompt: string, reasoningSoFar: string): string {
  const tail = renderedPrompt.slice(renderedPrompt.trimEnd().length);
  const opening = thinkingStart(renderedPrompt) === 'inside' ? tail + reasoningSoFar : reasoningSoFar;
  return opening.startsWith('\n') ? `\n${THINK_CLOSE}\n\n` : THINK_CLOSE;
}
