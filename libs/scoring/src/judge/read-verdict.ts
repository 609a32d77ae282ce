import { type Pattern } from '../compile-pattern.js';
import { type Reading, unreadable } from './reading.js';

/** A reply that states its verdict more often is no verdict. */
const MAX_STATEMENTS = 16;

/** Invisible characters, such as direction marks, that hide a verdict from a pattern but not from a reader. */
const INVISIBLE = /\p{Cf}/gu;

/** Emphasis and code marks. They become blanks, never nothing: "2*3" must not turn into "23" (C16). */
const MARKS = /[*_`$]+/g;

/** "1/10", "1 out of 10" */
const SCALE = /^\s{0,4}(?:\/|out of\b|of\b)\s{0,4}(\d+(?:\.\d+)?)/i;

/** What makes the text in front of it a part of a longer word or number: "10" is not 1, "0.8oops" is not 0.8 (C38, C44). */
const CONTINUATION = /^(?:[\p{L}\p{N}\p{M}_%]|[.,:^*/+–−-]\p{N})/u;

/**
 * Reads the verdict of a judge's reply: what the pattern's first group captured, everywhere it matches, also behind the
 * emphasis of Markdown. All statements must say the same: a reply that quotes another verdict is not guessed at (C38, C40).
 *
 * @param parse a captured text as a verdict; null when it is none
 */
export function readVerdict<V extends string | number>(pattern: Pattern, reply: string, parse: (captured: string) => V | null): Reading<V> {
  const strict = reply.replace(INVISIBLE, '');
  const tolerant = strict.replace(MARKS, ' ');
  if (!pattern.affords(strict, 2 * MAX_STATEMENTS)) return unreadable('reply_too_long');
  const statements = [...findStatements(pattern, strict), ...(tolerant === strict ? [] : findStatements(pattern, tolerant))];
  if (statements.length === 0) return unreadable('no_verdict');
  const verdicts = statements.map((statement) => (statement === null ? null : parse(statement)));
  const [verdict] = verdicts;
  if (verdict === undefined || verdict === null || verdicts.includes(null)) return unreadable('bad_verdict');
  return new Set(verdicts).size === 1 ? { kind: 'verdict', verdict } : unreadable('conflicting_verdicts');
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
