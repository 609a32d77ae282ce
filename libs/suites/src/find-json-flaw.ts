/** The first place where a text stops being JSON. */
export interface JsonFlaw {
  /** UTF-16 units from the start. */
  readonly offset: number;
  /** What would have been JSON there. */
  readonly expected: string;
}

type State = 'value' | 'value or "]"' | 'a key in double quotes or "}"' | 'a key in double quotes' | '":"' | 'next' | 'the end';

const SPACE = /[ \t\n\r]*/y;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![\w.+-])/y;

/**
 * Finds where `text` breaks RFC 8259; null when it is JSON. JSON.parse decides what is accepted; this only explains a
 * refusal, because before Node 22 the message of JSON.parse has no position. Linear, without recursion.
 */
export function findJsonFlaw(text: string): JsonFlaw | null {
  const open: ('{' | '[')[] = [];
  let state: State = 'value';
  let at = matchEnd(SPACE, text, 0) ?? 0;
  const afterValue = (): State => (open.length === 0 ? 'the end' : 'next');

  for (; at < text.length; at = matchEnd(SPACE, text, at) ?? at) {
    const character = text[at] ?? '';
    const wantsValue: boolean = state === 'value' || state === 'value or "]"';
    if (wantsValue && (character === '{' || character === '[')) {
      open.push(character);
      state = character === '{' ? 'a key in double quotes or "}"' : 'value or "]"';
      at += 1;
    } else if (closes(state, open.at(-1), character)) {
      open.pop();
      state = afterValue();
      at += 1;
    } else if (state === 'next' && character === ',') {
      state = open.at(-1) === '{' ? 'a key in double quotes' : 'value';
      at += 1;
    } else if (state === '":"' && character === ':') {
      state = 'value';
      at += 1;
    } else if (character === '"' && (wantsValue || state.startsWith('a key'))) {
      const string = readString(text, at);
      if (typeof string !== 'number') return string;
      at = string;
      state = wantsValue ? afterValue() : '":"';
    } else {
      const end = wantsValue ? matchEnd(SCALAR, text, at) : null;
      if (end === null) return { offset: at, expected: describe(state, open.at(-1)) };
      at = end;
      state = afterValue();
    }
  }
  return state === 'the end' ? null : { offset: text.length, expected: describe(state, open.at(-1)) };
}

function closes(state: State, opener: '{' | '[' | undefined, character: string): boolean {
  if (opener === '{') return character === '}' && (state === 'next' || state === 'a key in double quotes or "}"');
  return opener === '[' && character === ']' && (state === 'next' || state === 'value or "]"');
}

function describe(state: State, opener: '{' | '[' | undefined): string {
  if (state === 'next') return opener === '{' ? '"," or "}"' : '"," or "]"';
  return state.startsWith('value') ? `a ${state}` : state;
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The index behind the string that starts at `start`, or its flaw. */
function readString(text: string, start: number): number | JsonFlaw {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '"') return at + 1;
    if (character < ' ') return { offset: at, expected: 'the string to end, or \\n for a line break in it' };
    if (character === '\\') {
      const end = matchEnd(ESCAPE, text, at);
      if (end === null) return { offset: at, expected: 'an escape such as \\n, \\" or \\u00e9' };
      at = end - 1;
    }
  }
  return { offset: text.length, expected: 'the string to end with a double quote' };
}

function matchEnd(sticky: RegExp, text: string, at: number): number | null {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : null;
}
