const OPEN = '<think>';
const CLOSE = '</think>';
const IMPLICIT_END = /<tool_call>\s*<function/;

/**
 * A text without the reasoning at its start. `<think>` counts only at the very start. Reasoning that never closes ends where
 * an XML call begins, because some models open one without closing their reasoning first; a mention of the tag is no such end.
 *
 * @param startsInside the prompt had opened the reasoning
 * @returns null when there is nothing but reasoning
 */
export function removeLeadingThinking(text: string, startsInside: boolean): string | null {
  const trimmed = text.trimStart();
  const opens = trimmed.startsWith(OPEN);
  if (!opens && !startsInside) return text;
  const thought = opens ? trimmed.slice(OPEN.length) : trimmed;
  const close = thought.indexOf(CLOSE);
  if (close >= 0) return thought.slice(close + CLOSE.length);
  const call = thought.search(IMPLICIT_END);
  return call >= 0 ? thought.slice(call) : null;
}
