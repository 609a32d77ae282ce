import { compilePattern, type Pattern } from './compile-pattern.js';
import { scorerRefusal } from './scorer-refusal.js';

/** Registration's check of a pattern. @throws KilnError naming `<path>.pattern` */
export function checkPattern(source: string, caseSensitive: boolean, path: string): Pattern {
  const pattern = compilePattern(source, caseSensitive);
  if (pattern.kind === 'pattern') return pattern;
  throw scorerRefusal(`${path}.pattern`, pattern.message, 'Patterns use RE2 syntax: no look-around, no back-references.');
}
