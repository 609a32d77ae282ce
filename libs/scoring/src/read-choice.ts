import { ANSWER_COLON, ANSWER_IS, BEFORE, START, labelPattern, listPattern } from './choice-pattern.js';
import { isDenied } from './denied-choice.js';

/** How a choice was found: behind "Answer:", behind "answer is", at the start of the answer, or standing alone in it. */
export type ChoicePlace = 'answer_colon' | 'answer_is' | 'start' | 'alone';

export type ChoiceReading =
  | { readonly kind: 'choice'; readonly label: string; readonly place: ChoicePlace }
  /** "A, B and C": the answer does not commit to one. */
  | { readonly kind: 'several'; readonly labels: readonly string[] }
  | { readonly kind: 'none' };

/** Reads the one choice that an answer commits to. The label is spelt as in the list of choices. */
export type ChoiceReader = (text: string) => ChoiceReading;

/**
 * Compiles the reader for `choices` (labels, at least one, different when case is ignored).
 *
 * Places are tried in the contract's order: behind "ANSWER:", behind "ANSWER IS" (both with or without "FINAL"), at the
 * start, standing alone. In each place the last that names a label wins, because models restate and correct themselves.
 * Labels are whole words, compared without case; wrappers are ignored; nothing is read across a line break. A label that
 * the text denies ("B is wrong", "anything but B") is no commitment to it and is not read.
 */
export function compileChoiceReader(choices: readonly string[]): ChoiceReader {
  const labelFor = compileChoiceLabel(choices);
  const label = labelPattern(choices.map((choice) => choice.trim()));
  const list = listPattern(label);
  const single = new RegExp(label, 'gu');
  const places: readonly (readonly [ChoicePlace, RegExp])[] = [
    ['answer_colon', new RegExp(ANSWER_COLON + list, 'gu')],
    ['answer_is', new RegExp(ANSWER_IS + list, 'gu')],
    ['start', new RegExp(START + list, 'gu')],
    ['alone', new RegExp(BEFORE + list, 'gu')],
  ];

  return (text) => {
    const trimmed = text.trimStart();
    for (const [place, pattern] of places) {
      const found = lastClaim(pattern, trimmed);
      if (found === null) continue;
      const labels = [...new Set(Array.from(found.matchAll(single), ([written]) => labelFor(written) ?? written))];
      const [first] = labels;
      if (first !== undefined) return labels.length === 1 ? { kind: 'choice', label: first, place } : { kind: 'several', labels };
    }
    return { kind: 'none' };
  };
}

/** Reads a target or alias: one of the labels, whatever its case and the white space around it; null for anything else. */
export function compileChoiceLabel(choices: readonly string[]): (text: string) => string | null {
  const spelling = new Map(choices.map((choice) => [choice.trim().toUpperCase(), choice]));
  return (text) => spelling.get(text.trim().toUpperCase()) ?? null;
}

/** The first group of the last match whose group, which ends the match, is not denied. */
function lastClaim(pattern: RegExp, text: string): string | null {
  let claim: string | null = null;
  for (const { 0: match, 1: labels = '', index } of text.matchAll(pattern)) {
    const end = index + match.length;
    if (!isDenied(text, end - labels.length, end)) claim = labels;
  }
  return claim;
}
