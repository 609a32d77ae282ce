/**
 * Text of a model, a suite or a server as it may be shown on a terminal: characters that would move the cursor, change
 * colours, set the window's title or reorder the line are shown as escapes such as `\x1b`.
 *
 * @param text  anything
 * @param keepLines  keep line ends and tabs; otherwise they are escaped too, so that the result is one line
 */
export function safeText(text: string, keepLines = false): string {
  return text.replaceAll(UNSAFE, (character) => (keepLines && (character === '\n' || character === '\t') ? character : escape(character)));
}

/** As {@link safeText}, on one line of at most `width` characters; what was cut off shows as `…`. */
export function clip(text: string, width: number): string {
  const safe = safeText(text);
  const characters = [...safe];
  return characters.length <= width ? safe : `${characters.slice(0, Math.max(width - 1, 0)).join('')}…`;
}

/**
 * A value as indented JSON in which strings cannot reach the terminal either: JSON itself escapes only the C0 controls.
 * Parsers read the same value.
 */
export function safeJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(UNSAFE, (character) => (character === '\n' ? character : jsonEscape(character)));
}

/** As {@link safeJson}, on one line. */
export function safeJsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(UNSAFE, jsonEscape);
}

// C0 and C1 controls, DEL, line and paragraph separators, bidirectional controls, invisible and tag characters, and halves
// of surrogate pairs. Not the joiners U+200C and U+200D: several scripts, and emoji, are spelt with them.
const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- finding control characters is what it is for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escape(character: string): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}

function jsonEscape(character: string): string {
  let escaped = '';
  for (let at = 0; at < character.length; at += 1) escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return escaped;
}
