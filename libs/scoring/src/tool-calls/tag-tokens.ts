export type TagKind = 'call_open' | 'call_close' | 'function_open' | 'function_close' | 'parameter_open' | 'parameter_close';

/** One tag of the XML tool-call form, or what looks like one. */
export interface TagToken {
  readonly kind: TagKind;
  readonly start: number;
  readonly end: number;
  /** NAME of `<function=NAME>` and `<parameter=NAME>`. */
  readonly name: string;
  /** The opening tag has its `>`. */
  readonly isWhole: boolean;
  /** Only white space stands before it on its line. */
  readonly isLineStart: boolean;
  /** Only white space stands between it and the next tag, or the end. */
  readonly isGapBlank: boolean;
  /** A function's closing tag; -1 when it has none. Functions nest, because a value may quote whole calls. */
  closedBy: number;
}

const TAG = /<tool_call>|<\/tool_call>|<function=([^<>\n]*)(>?)|<\/function>|<parameter=([^<>\n]*)(>?)|<\/parameter>/g;

/** All tags of a text, from left to right. Linear. */
export function readTagTokens(text: string): TagToken[] {
  const tokens: TagToken[] = [];
  const open: TagToken[] = [];
  const matches = [...text.matchAll(TAG)];
  matches.forEach((match, index) => {
    const [written, functionName, functionEnd, parameterName, parameterEnd] = match;
    const start = match.index;
    const end = start + written.length;
    const before = text.slice(index === 0 ? 0 : tokens[index - 1]!.end, start);
    const lineBreak = before.lastIndexOf('\n');
    // Without a line break in between, the tag before stands on the same line.
    const isLineStart = (lineBreak >= 0 || index === 0) && before.slice(lineBreak + 1).trim() === '';
    const token: TagToken = {
      kind: kindOf(written),
      start,
      end,
      name: cleanName(functionName ?? parameterName ?? ''),
      isWhole: (functionEnd ?? parameterEnd) !== '',
      isLineStart,
      isGapBlank: text.slice(end, matches[index + 1]?.index).trim() === '',
      closedBy: -1,
    };
    if (token.kind === 'function_open') open.push(token);
    if (token.kind === 'function_close') {
      const opening = open.pop();
      if (opening) opening.closedBy = index;
    }
    tokens.push(token);
  });
  return tokens;
}

function kindOf(written: string): TagKind {
  if (written === '<tool_call>') return 'call_open';
  if (written === '</tool_call>') return 'call_close';
  if (written === '</function>') return 'function_close';
  if (written === '</parameter>') return 'parameter_close';
  return written.startsWith('<function=') ? 'function_open' : 'parameter_open';
}

/** Some models quote the name. */
function cleanName(written: string): string {
  return written
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim();
}
