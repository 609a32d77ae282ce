import { foldNumerals } from './fold-numerals.js';
import { type NumberReading } from './number-token.js';
import { parseDecimal } from './decimal.js';
import { readPrefix } from './read-prefix.js';

/** Digits with the separators between them and an exponent, or a vulgar fraction. Both are linear to find. */
const CHUNK = /[0-9]+(?:[.,_][0-9]+)*(?:[eE][+-]?[0-9]+)?|[¼-¾⅐-⅞↉]/g;
const PLAIN = /^[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/** Commas only between groups of three, and the first group is not a lone zero: "0,123" is two numbers. */
const GROUPED = /^[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/** Superscripts, fractions and underscores glued to the last digit change what the digits mean. */
const GLUED = /^(?:[²³¹⁰⁴-⁹¼-¾⅐-⅞⁄]|_[\p{L}\p{N}])/u;
const RADIX_LETTER = /^[xXbBoO][0-9a-fA-F]/;

/** Numbers above these limits cannot be measured in 64-bit floats by anyone; their exact arithmetic would be a way to stall a worker. */
const MAX_EXPONENT = 308;
const MAX_LENGTH = 1000;

/**
 * The last number of `text`, under the one number grammar of this product; null when there is none.
 *
 * A number starts and ends with a digit (or starts with the dot of ".5"). Commas group thousands, in threes; any other
 * comma separates two numbers. A sign belongs to the number only when it touches it and does not follow a digit or a
 * Latin, Greek or Cyrillic letter ("3-7", "GPT-4"). Currency signs and `%` are ignored and never scale. Digits glued to the
 * end of a word ("B2") are part of that word. Minus signs and digits of all scripts count (see foldNumerals).
 */
export function readLastNumber(text: string): NumberReading | null {
  const folded = foldNumerals(text);
  let last: RegExpExecArray | null = null;
  for (const chunk of folded.matchAll(CHUNK)) if (!endsAWord(folded, chunk)) last = chunk;
  return last === null ? null : (readChunk(folded, last).at(-1) ?? null);
}

/** Every number of `text`, in order. */
export function readNumbers(text: string): NumberReading[] {
  const folded = foldNumerals(text);
  return Array.from(folded.matchAll(CHUNK)).flatMap((chunk) => (endsAWord(folded, chunk) ? [] : readChunk(folded, chunk)));
}

/** "B2", "x_1", "0x1F": the digits name something. Scripts without case (Han, Thai, Arabic) write numbers without a space. */
function endsAWord(text: string, chunk: RegExpExecArray): boolean {
  const before = text.slice(Math.max(0, chunk.index - 3), chunk.index);
  if (/[\p{Lu}\p{Ll}\p{Lt}\p{N}]$|[\p{L}\p{N}]_$/u.test(before)) return true;
  return chunk[0] === '0' && RADIX_LETTER.test(text.slice(chunk.index + 1, chunk.index + 3));
}

/** One chunk is one number, or several that commas separate, of which only the first can carry a sign. */
function readChunk(text: string, chunk: RegExpExecArray): NumberReading[] {
  const body = chunk[0];
  const whole = PLAIN.test(body) || GROUPED.test(body);
  const pieces = whole ? [body] : body.split(',');
  const end = chunk.index + body.length;
  return pieces.map((piece, index) => {
    const glued = index === pieces.length - 1 && GLUED.test(text.slice(end, end + 3));
    return readPiece(text, piece, index === 0 ? chunk.index : null, glued);
  });
}

/** @param start where the piece begins in `text`; null for a piece behind a comma, which has no sign of its own. */
function readPiece(text: string, piece: string, start: number | null, glued: boolean): NumberReading {
  const digits = piece.replaceAll(',', '');
  const prefix = start === null ? NO_PREFIX : readPrefix(text, start, piece.includes('.'));
  const written = prefix.sign + prefix.point + digits;
  const readable = !glued && !prefix.unreadable && PLAIN.test(digits) && withinLimits(digits);
  const value = readable ? parseDecimal(written) : null;
  if (!value) return { kind: 'unreadable', text: piece };
  return { kind: 'number', value, text: prefix.sign + prefix.point + piece, claim: prefix.claim };
}

const NO_PREFIX = { sign: '', point: '', claim: 'exact', unreadable: false } as const;

function withinLimits(digits: string): boolean {
  const exponent = /[eE](.*)$/.exec(digits)?.[1] ?? '0';
  return digits.length <= MAX_LENGTH && Math.abs(Number(exponent)) <= MAX_EXPONENT;
}
