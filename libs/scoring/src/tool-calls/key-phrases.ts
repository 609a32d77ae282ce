const MAX_PHRASES = 5;
/** Words that separate phrases and belong to none. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the and or but nor so if then than that this these those there here it its is are was were be been being am do does did done ' +
    'has have had having will would shall should can could may might must not no yes of in on at to from by for with without about into ' +
    'onto over under between through during before after above below up down out off again as i you he she we they me him her us them my ' +
    'your his our their who whom which what when where why how all any both each few more most other some such only own same too very ' +
    'just also please'
  ).split(' '),
);

const WORD = /[\p{L}\p{N}_]+(?:['’.-][\p{L}\p{N}_]+)*|[^\s\p{L}\p{N}_]/gu;

/** Words of a text in order, in lower case; punctuation is `null`, because a phrase does not cross it. */
function wordsOf(text: string): (string | null)[] {
  return Array.from(text.toLowerCase().matchAll(WORD), ([word]) => (/[\p{L}\p{N}_]/u.test(word) ? word : null));
}

/**
 * The key phrases of prose: runs of words between stop words and punctuation, as in the RAKE method; the five that have the most
 * words, then the most characters, then come first.
 */
export function keyPhrases(text: string): string[] {
  const phrases = new Set<string>();
  let run: string[] = [];
  for (const word of [...wordsOf(text), null]) {
    if (word !== null && !STOP_WORDS.has(word)) {
      run.push(word);
      continue;
    }
    if (run.length > 0) phrases.add(run.join(' '));
    run = [];
  }
  const words = (phrase: string): number => phrase.split(' ').length;
  return [...phrases].toSorted((a, b) => words(b) - words(a) || b.length - a.length).slice(0, MAX_PHRASES);
}

/** The share of `phrases` that stand in `text` as whole words. */
export function phraseShare(phrases: readonly string[], text: string): number {
  const normal = ` ${wordsOf(text)
    .map((word) => word ?? '|')
    .join(' ')} `;
  const found = phrases.filter((phrase) => normal.includes(` ${phrase} `));
  return phrases.length === 0 ? 0 : found.length / phrases.length;
}
