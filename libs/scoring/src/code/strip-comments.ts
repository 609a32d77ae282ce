interface CommentSyntax {
  readonly line: string;
  readonly block: readonly [string, string] | null;
}

const HASH: CommentSyntax = { line: '#', block: null };
const SLASHES: CommentSyntax = { line: '//', block: ['/*', '*/'] };
const DASHES: CommentSyntax = { line: '--', block: ['/*', '*/'] };

const SYNTAX = new Map<string, CommentSyntax>([
  ...['python', 'ruby', 'bash', 'yaml', 'toml', 'r', 'perl', 'elixir', 'julia'].map((name) => [name, HASH] as const),
  ...['javascript', 'typescript', 'rust', 'kotlin', 'java', 'c', 'cpp', 'c++', 'csharp', 'c#', 'go', 'swift', 'scala', 'php', 'dart'].map(
    (name) => [name, SLASHES] as const,
  ),
  ...['sql', 'lua', 'haskell'].map((name) => [name, DASHES] as const),
]);

/** A line that is a comment in nearly every language. */
const COMMENT_LINE = /^[ \t]*(?:#(?!include|define|!)|\/\/|--)[^\n]*$/gm;

/**
 * Code without its comments. Where the language is known they are found anywhere outside of texts; where it is not, only
 * whole lines are. A text ends with its line, except in triple quotes and back-ticks.
 */
export function stripComments(code: string, language: string | null): string {
  const syntax = language === null ? undefined : SYNTAX.get(language);
  return syntax === undefined ? code.replace(COMMENT_LINE, '') : stripped(code, syntax);
}

function stripped(code: string, { line, block }: CommentSyntax): string {
  let kept = '';
  let copied = 0;
  for (let at = 0; at < code.length;) {
    const quote = quoteAt(code, at);
    if (quote !== null) {
      at = endOfText(code, at + quote.length, quote);
      continue;
    }
    const end = code.startsWith(line, at)
      ? endOfLine(code, at)
      : block !== null && code.startsWith(block[0], at)
        ? endOf(code, at, block[1])
        : null;
    if (end === null) {
      at += 1;
      continue;
    }
    kept += code.slice(copied, at);
    copied = end;
    at = end;
  }
  return kept + code.slice(copied);
}

function quoteAt(code: string, at: number): string | null {
  const character = code[at] ?? '';
  if (character !== '"' && character !== "'" && character !== '`') return null;
  const triple = character.repeat(3);
  return character !== '`' && code.startsWith(triple, at) ? triple : character;
}

/** The index behind the quote that closes a text. */
function endOfText(code: string, start: number, quote: string): number {
  for (let at = start; at < code.length; at += 1) {
    if (code[at] === '\\') at += 1;
    else if (code.startsWith(quote, at)) return at + quote.length;
    else if (code[at] === '\n' && (quote === '"' || quote === "'")) return at;
  }
  return code.length;
}

function endOfLine(code: string, at: number): number {
  const end = code.indexOf('\n', at);
  return end < 0 ? code.length : end;
}

function endOf(code: string, at: number, closing: string): number {
  const end = code.indexOf(closing, at + 2);
  return end < 0 ? code.length : end + closing.length;
}
