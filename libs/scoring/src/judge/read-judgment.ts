import { type Pattern } from '../compile-pattern.js';
import { type Reading, unreadable } from './reading.js';

/** A reply that states its judgment more often is no judgment. */
const MAX_STATEMENTS = 16;

/** Invisible characters, such as direction marks, that hide a judgment from a pattern but not from a reader. */
const INVISIBLE = /\p{Cf}/gu;

/** Emphasis and code marks. They become blanks, never nothing: "2*3" must not turn into "23" (C16). */
const MARKS = /[*_`$]+/g;

/** "1/10", "1 out of 10" */
const SCALE = /^\s{0,4}(?:\/|out of\b|of\b)\s{0,4}(\d+(?:\.\d+)?)/i;

/** What makes the text in front of it a part of a longer word or number: "10" is not 1, "0.8oops" is not 0.8 (C38, C44). */
const CONTINUATION = /^(?:[\p{L}\p{N}\p{M}_%]|[.,:^*/+–−-]\p{N})/u;

/**
 * Reads the judgment of a judge's reply: what the pattern's first group captured, everywhere it matches, also behind the
 * emphasis of Markdown. All statements must say the same: a reply that quotes another judgment is not guessed at (C38, C40).
 *
 * @param parse a captured text as a judgment; null when it is none
 */
export function readJudgment<V extends string | number>(
  pattern: Pattern,
  reply: string,
  parse: (captured: string) => V | null,
): Reading<V> {
  const strict = reply.replace(INVISIBLE, '');
  const tolerant = strict.replace(MARKS, ' ');
  if (!pattern.affords(strict, 2 * MAX_STATEMENTS)) return unreadable('reply_too_long');
  const statements = [...findStatements(pattern, strict), ...(tolerant === strict ? [] : findStatements(pattern, tolerant))];
  if (statements.length === 0) return unreadable('no_judgment');
  const judgments = statements.map((statement) => (statement === null ? null : parse(statement)));
  const [judgment] = judgments;
  if (judgment === undefined || judgment === null || judgments.includes(null)) return unreadable('bad_judgment');
  return new Set(judgments).size === 1 ? { kind: 'judgment', judgment } : unreadable('conflicting_judgments');
}

/** The captured texts; null for one that the pattern cut out of something longer. */
function findStatements(pattern: Pattern, text: string): (string | null)[] {
  const matches = pattern.findMatches(text, MAX_STATEMENTS + 1);
  if (matches.length > MAX_STATEMENTS) return [null];
  return matches.flatMap(({ end, captured }) => {
    if (captured === null) return [];
    // Where the pattern itself says what follows, its author has decided.
    const cut = captured.end === end && continues(text.slice(end, end + 32));
    return [cut ? null : captured.text];
  });
}

function continues(rest: string): boolean {
  const scale = SCALE.exec(rest)?.[1];
  return scale === undefined ? CONTINUATION.test(rest) : Number(scale) !== 1;
}
