import { type DoctestExample, type DoctestOutput } from './doctest-reading.js';

/** What Python's `str.split` takes for a space, below U+0080. */
const SPACES = /[\t-\r\x1c-\x20]+/; // oxlint-disable-line no-control-regex -- that is what Python does

/**
 * Whether an example came out as it should, by the rules of Python's doctest (`DocTestRunner.__run`, `OutputChecker`): an
 * expected exception is compared by its last line, otherwise the output is, and an exception that is not expected fails.
 */
export function isExpectedOutput({ want, exception, flags }: DoctestExample, { output, raised }: DoctestOutput): boolean {
  const on = new Set(flags);
  if (raised === null) return matches(want, output !== '' && !output.endsWith('\n') ? `${output}\n` : output, on);
  if (exception === null) return false;
  if (matches(exception, raised, on)) return true;
  return on.has('IGNORE_EXCEPTION_DETAIL') && matches(withoutDetail(exception), withoutDetail(raised), on);
}

function matches(wanted: string, gotten: string, flags: ReadonlySet<string>): boolean {
  let [want, got] = [ascii(wanted), ascii(gotten)];
  if (got === want) return true;
  if (!flags.has('DONT_ACCEPT_TRUE_FOR_1')) {
    if (got === 'True\n' && want === '1\n') return true;
    if (got === 'False\n' && want === '0\n') return true;
  }
  if (!flags.has('DONT_ACCEPT_BLANKLINE')) {
    want = mapLines(want, (line) => (line.startsWith('<BLANKLINE>') && isBlank(line.slice('<BLANKLINE>'.length)) ? '' : line));
    got = mapLines(got, (line) => (isBlank(line) ? '' : line));
    if (got === want) return true;
  }
  if (flags.has('NORMALIZE_WHITESPACE')) {
    [want, got] = [normalized(want), normalized(got)];
    if (got === want) return true;
  }
  return flags.has('ELLIPSIS') && matchesEllipsis(want, got);
}

/** `...` stands for any text, also over line ends. The parts between are found from left to right. */
function matchesEllipsis(want: string, got: string): boolean {
  const parts = want.split('...');
  if (parts.length === 1) return want === got;
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (!got.startsWith(first) || !got.endsWith(last)) return false;
  const end = got.length - last.length;
  let at = first.length;
  if (at > end) return false;
  for (const part of parts.slice(1, -1)) {
    const found = got.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Of `module.Error: detail`, `Error`. */
function withoutDetail(message: string): string {
  const line = message.split('\n', 1)[0] ?? '';
  const [name = ''] = line.split(':', 1);
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Doctest compares what an ASCII terminal would show. */
function ascii(text: string): string {
  return text.replace(/[^\0-\x7f]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
  });
}

function isBlank(line: string): boolean {
  return line.split(SPACES).every((word) => word === '');
}

function normalized(text: string): string {
  return text
    .split(SPACES)
    .filter((word) => word !== '')
    .join(' ');
}

function mapLines(text: string, map: (line: string) => string): string {
  return text.split('\n').map(map).join('\n');
}
