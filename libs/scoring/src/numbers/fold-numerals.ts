const NOT_ASCII = /[^\x00-\x7f]/; // oxlint-disable-line no-control-regex -- the ASCII range starts at NUL
const DECIMAL_DIGIT = /\p{Nd}/u;
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu;
/** Zero-width spaces and joiners, word joiner, byte order mark, soft hyphen: invisible, so never part of a number. */
const INVISIBLE = /[\u200b-\u200d\u2060\ufeff\u00ad]/g;
/** Minus sign, hyphens, figure dash, en dash, small and full-width minus. The em dash is punctuation, never a sign. */
const MINUS = /[\u2212\u2010-\u2013\ufe63\uff0d]/g;
const PUNCTUATION = new Map([
  ['\uff0b', '+'],
  ['\uff0e', '.'],
  ['\uff0c', ','],
  ['\u066b', '.'],
  ['\u066c', ','],
]);
const FOREIGN_PUNCTUATION = /[\uff0b\uff0e\uff0c\u066b\u066c]/g;

/** LaTeX writes 1{,}000 and 1,\!000 so that the comma is not followed by a space. */
const LATEX_COMMA = /(?<=[0-9])(?:\{,\}|,\\!)(?=[0-9])/g;

/**
 * Rewrites the decimal digits of every script, and the signs and separators that go with them, in ASCII, and LaTeX's
 * commas as commas. Superscripts, fractions such as ½ and circled numbers are not decimal digits and stay (NFKC would
 * turn m² into m2 and 2½ into 21⁄2).
 */
export function foldNumerals(text: string): string {
  const ascii = text.includes(',') ? text.replace(LATEX_COMMA, ',') : text;
  if (!NOT_ASCII.test(ascii)) return ascii;
  return ascii
    .replace(INVISIBLE, '')
    .replace(MINUS, '-')
    .replace(FOREIGN_PUNCTUATION, (mark) => PUNCTUATION.get(mark) ?? mark)
    .replace(FOREIGN_DIGIT, digitValue);
}

/** Unicode keeps each script's ten digits in one ascending run, so a digit's value is its place in the run. */
function digitValue(digit: string): string {
  const codePoint = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (DECIMAL_DIGIT.test(String.fromCodePoint(codePoint - before - 1))) before += 1;
  return String(before % 10);
}
