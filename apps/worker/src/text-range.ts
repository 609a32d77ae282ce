/** Bytes from `start` to before `end`. */
export interface TextRange {
  start: number;
  end: number;
}

/** Bytes between reasoning and answer, at most: a closing tag and line breaks. */
const LONGEST_GAP = 64;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Where `text` lies in the raw output, so that it is stored once and derived again by decoding the range. Ranges that cannot
 * be found by their bytes (a decoder that was cut inside a character shows U+FFFD instead) are found by decoding.
 *
 * @param from look no earlier than this byte
 * @returns null when no range of `raw` decodes to `text`
 */
export function findTextRange(raw: Uint8Array, text: string, from = 0): TextRange | null {
  const haystack = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const needle = Buffer.from(text, 'utf8');
  const suffix = raw.length - needle.length;
  if (suffix >= from && haystack.subarray(suffix).equals(needle)) return { start: suffix, end: raw.length };
  const at = haystack.indexOf(needle, from);
  if (at >= 0) return { start: at, end: at + needle.length };
  return text.includes('\uFFFD') ? findByDecoding(haystack, text, from) : null;
}

/** The first place where `text` lies in the raw output. As {@link findTextRange}, which prefers the last. */
export function findFirstTextRange(raw: Uint8Array, text: string): TextRange | null {
  const needle = Buffer.from(text, 'utf8');
  const start = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).indexOf(needle);
  return start >= 0 ? { start, end: start + needle.length } : findTextRange(raw, text);
}

/**
 * Only bytes that are not valid UTF-8 come here. The answer reaches to the end of the output and begins right behind the
 * reasoning, its closing tag and some line breaks: a short search, whatever the size of a hostile output.
 */
function findByDecoding(raw: Buffer, text: string, from: number): TextRange | null {
  const latest = Math.min(from + LONGEST_GAP, raw.length);
  for (let start = from; start <= latest; start += 1) {
    if (decoder.decode(raw.subarray(start)) === text) return { start, end: raw.length };
  }
  return null;
}
