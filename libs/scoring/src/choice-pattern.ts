/**
 * The pieces of the patterns that find a choice label. No two neighbours that repeat can match the same character, so
 * every pattern made of them runs in linear time; keep it so.
 */

/** Quotes, brackets, emphasis, math and \boxed{ in front of a label, on the same line. */
export const OPENING = String.raw`(?:[ \t*_$"'“‘\x60(\[{]|\\\(|\\\[|\\(?:boxed|fbox|text|textbf|mathrm|mathbf)(?=\{))*`;

const CLOSING = String.raw`[ \t*_$"'”’\x60)\]}]*`;

/** A label starts a word. */
export const BEFORE = String.raw`(?<![\p{Script=Latin}\p{M}\p{N}]|[\p{Script=Latin}\p{M}\p{N}][_'’.-])`;

/** A label ends a word: "D" is not in "Don't", "A" is not in "A-level", "3" is not in "3.5", "D" is not in "D.C.". */
const AFTER = String.raw`(?![\p{Script=Latin}\p{M}\p{N}]|[_'’-][\p{Script=Latin}\p{N}]|\.\p{Script=Latin}\.|(?<=\p{N})[.,]\p{N})`;

/** "a" and "I" are words too: in front of another word they are labels only in capitals and only if a verb or a reason follows. */
const NOT_A_WORD = String.raw`(?!(?<=(?<!\p{L})[ai])[ \t]+\p{L}|(?<=(?<!\p{L})[AI])[ \t]+(?!(?:is|was|because|since|as|and|or|but|for|which)\b)\p{Ll})`;

/** Between two labels of a list: "A, B and C", "A/B". */
const JOINT = String.raw`${CLOSING}(?:[,/&](?:[ \t]*(?:and|or)\b)?|(?:and|or)\b)${OPENING}`;

const NOUN = String.raw`(?:(?:${anyCase('option')}|${anyCase('choice')}|${anyCase('letter')})(?!\p{L})${OPENING})?`;

/** "Answer:", also "**Answer**:" and "Final answer:". */
export const ANSWER_COLON = String.raw`\b${anyCase('answer')}[*_ \t]*[:：]${OPENING}${NOUN}`;

/** "answer is", with or without a colon behind it. */
export const ANSWER_IS = String.raw`\b${anyCase('answer')}[*_ \t]+${anyCase('is')}\b(?:[*_ \t]*[:：])?${OPENING}${NOUN}`;

/** The start of a text without leading white space. */
export const START = `^${OPENING}${NOUN}`;

/** One of `labels` as a whole word, in any case; the longest that fits. */
export function labelPattern(labels: readonly string[]): string {
  const longestFirst = labels.toSorted((a, b) => b.length - a.length).map(anyCase);
  return `(?:${longestFirst.join('|')})${AFTER}${NOT_A_WORD}`;
}

/** One label, or a list of them, as one group. */
export function listPattern(label: string): string {
  return `(${label}(?:${JOINT}${label})*)`;
}

/** The `i` flag would also apply to the classes above that tell "A" from "a", so case is spelt out character by character. */
function anyCase(text: string): string {
  return Array.from(text, (character) => {
    const forms = [...new Set([character, character.toUpperCase(), character.toLowerCase()])].filter(
      (form) => Array.from(form).length === 1,
    );
    return `[${forms.map((form) => form.replace(/[\\\]^-]/, '\\$&')).join('')}]`;
  }).join('');
}
