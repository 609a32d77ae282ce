import { type ScorerOf } from '@kiln/contracts';
import { type CodeBlock } from './read-code-blocks.js';
import { stripComments } from './strip-comments.js';

type ComparingStyle = Exclude<ScorerOf<'code'>['style'], { kind: 'any_block' }>;

/** Compares code with a target that was prepared once: from 0 (nothing alike) to 1. */
export interface CodeComparison {
  readonly similarity: (answer: CodeBlock) => number;
  /** Passes from here on. */
  readonly threshold: number;
}

/** Null when the target has nothing that this style could compare. */
export function compareCode(style: ComparingStyle, target: CodeBlock): CodeComparison | null {
  switch (style.kind) {
    case 'exact_block':
      if (exactForm(target.code, style.strip_comments, target.language) === '') return null;
      return { similarity: (answer) => Number(equalCode(answer, target, style.strip_comments)), threshold: 1 };
    case 'token_similarity': {
      const wanted = codeTokens(target.code);
      return wanted.size === 0 ? null : { similarity: ({ code }) => jaccard(codeTokens(code), wanted), threshold: style.min_jaccard };
    }
    case 'line_coverage': {
      const wanted = significantLines(target.code);
      return wanted.length === 0 ? null : { similarity: ({ code }) => coverage(wanted, code), threshold: style.threshold };
    }
  }
}

function equalCode(answer: CodeBlock, target: CodeBlock, withoutComments: boolean): boolean {
  const language = target.language ?? answer.language;
  return exactForm(answer.code, withoutComments, language) === exactForm(target.code, withoutComments, language);
}

/** Line ends, white space at the ends of lines, and blank lines around do not matter; without comments no blank lines do. */
function exactForm(code: string, withoutComments: boolean, language: string | null): string {
  const lines = (withoutComments ? stripComments(code, language) : code).split(/\r\n|\r|\n/).map((line) => line.trimEnd());
  const kept = withoutComments ? lines.filter((line) => line !== '') : lines.slice(lines.findIndex((line) => line !== ''));
  return kept.join('\n').trimEnd();
}

/** Runs of letters, digits, `_` and `.` that are at least two characters long. */
export function codeTokens(code: string): ReadonlySet<string> {
  return new Set(code.match(/[\p{Alphabetic}\p{N}_.]{2,}/gu));
}

/** Members in both sets, as a share of the members in either; 0 for two empty sets. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const member of a) if (b.has(member)) common += 1;
  const all = a.size + b.size - common;
  return all === 0 ? 0 : common / all;
}

const COMMENT_MARKER = /^(?:#|\/\/|\/\*|\*[ /]|--|<!--)/;

/** Lines, without the white space around them, that have at least 4 characters and are no comments. */
function significantLines(code: string): string[] {
  return code
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= 4 && !COMMENT_MARKER.test(line));
}

/** The share of `wanted` lines that the code has, in any order. */
function coverage(wanted: readonly string[], code: string): number {
  const present = new Set(significantLines(code));
  return wanted.filter((line) => present.has(line)).length / wanted.length;
}
