/** One simple command of a shell line: what stands between `|`, `&&`, `;` and line breaks. */
export interface ShellCommand {
  /** Without quotes. Redirections are words of their own. */
  readonly words: readonly string[];
  /** What its here-documents feed to it. */
  readonly heredocs: readonly string[];
}

/** `$(…)` and backquotes stay whole; deeper ones are cut. */
const MAX_NESTING = 16;

const OPERATOR = /&&|\|\||\|&|<<<|<<-?|\d*>>|\d*>&\d*|&>|\d*>|<|[|;&()]/y;
const BLANKS = /[ \t]*/y;
const UNQUOTED = /[^\s'"\\$`|&;<>()]+/y;
const DOUBLE_QUOTED = /[^"\\]+/y;

/**
 * Splits a shell script into simple commands: quotes, escapes, here-documents, comments, operators. No expansion. It never
 * fails: an open quote ends with the text. Linear.
 */
export function splitShell(script: string): ShellCommand[] {
  return new ShellSplitter(script).commands();
}

interface Pending {
  readonly delimiter: string;
  readonly stripsTabs: boolean;
}

class ShellSplitter {
  #at = 0;
  readonly #done: ShellCommand[] = [];
  #words: string[] = [];
  #heredocs: string[] = [];
  #pending: Pending[] = [];

  constructor(private readonly script: string) {}

  commands(): ShellCommand[] {
    while (this.#at < this.script.length) this.#step();
    this.#endCommand();
    return this.#done;
  }

  #step(): void {
    const character = this.script[this.#at]!;
    if (character === '\n') {
      this.#at += 1;
      this.#readHeredocs();
      this.#endCommand();
    } else if (character === ' ' || character === '\t' || character === '\r') {
      this.#at += 1;
    } else if (this.script.startsWith('\\\n', this.#at)) {
      this.#at += 2;
    } else if (character === '#') {
      const end = this.script.indexOf('\n', this.#at);
      this.#at = end < 0 ? this.script.length : end;
    } else if (!this.#readOperator()) {
      this.#words.push(this.#word());
    }
  }

  #readOperator(): boolean {
    const operator = match(OPERATOR, this.script, this.#at);
    if (operator === '') return false;
    this.#at += operator.length;
    if (operator === '<<' || operator === '<<-') {
      this.#at += match(BLANKS, this.script, this.#at).length;
      const delimiter = this.#word();
      if (delimiter !== '') this.#pending.push({ delimiter, stripsTabs: operator === '<<-' });
    } else if (/[<>]/.test(operator)) {
      this.#words.push(operator);
    } else if (this.#pending.length === 0) {
      this.#endCommand();
    } else {
      // The document comes at the line's end and belongs to this command: end it there, and keep the rest of the line out.
      this.#endCommandBeforeHeredoc();
    }
    return true;
  }

  #endCommandBeforeHeredoc(): void {
    const end = this.script.indexOf('\n', this.#at);
    const rest = end < 0 ? this.script.slice(this.#at) : this.script.slice(this.#at, end);
    this.#at = end < 0 ? this.script.length : end + 1;
    this.#readHeredocs();
    this.#endCommand();
    if (rest.trim() !== '' && !rest.includes('<<')) this.#done.push(...splitShell(rest));
  }

  #endCommand(): void {
    if (this.#words.length > 0 || this.#heredocs.length > 0) this.#done.push({ words: this.#words, heredocs: this.#heredocs });
    this.#words = [];
    this.#heredocs = [];
    this.#pending = [];
  }

  #readHeredocs(): void {
    for (const { delimiter, stripsTabs } of this.#pending) {
      const lines: string[] = [];
      while (this.#at < this.script.length) {
        const end = this.script.indexOf('\n', this.#at);
        const line = this.script.slice(this.#at, end < 0 ? undefined : end);
        this.#at = end < 0 ? this.script.length : end + 1;
        const text = stripsTabs ? line.replace(/^\t+/, '') : line;
        if (text.trimEnd() === delimiter) break;
        lines.push(text);
      }
      this.#heredocs.push(lines.join('\n'));
    }
    this.#pending = [];
  }

  #word(): string {
    let word = '';
    while (this.#at < this.script.length) {
      const plain = match(UNQUOTED, this.script, this.#at);
      word += plain;
      this.#at += plain.length;
      const character = this.script[this.#at];
      if (character === undefined || /[\s|&;<>()]/.test(character)) break;
      word += this.#special(character);
    }
    return word;
  }

  /** A quoted or substituted part of a word. */
  #special(character: string): string {
    this.#at += 1;
    if (character === "'") return this.#until("'");
    if (character === '"') return this.#doubleQuoted();
    if (character === '`') return `\`${this.#until('`')}\``;
    if (character === '$') return this.script[this.#at] === '(' ? this.#substitution() : '$';
    const escaped = this.script[this.#at] ?? '';
    this.#at += 1;
    return escaped === '\n' ? '' : escaped;
  }

  #until(quote: string): string {
    const end = this.script.indexOf(quote, this.#at);
    const text = this.script.slice(this.#at, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.script.length : end + 1;
    return text;
  }

  #doubleQuoted(): string {
    let text = '';
    while (this.#at < this.script.length) {
      const plain = match(DOUBLE_QUOTED, this.script, this.#at);
      text += plain;
      this.#at += plain.length;
      const character = this.script[this.#at];
      this.#at += 1;
      if (character === undefined || character === '"') return text;
      const escaped = this.script[this.#at] ?? '';
      this.#at += 1;
      text += /["\\$`]/.test(escaped) ? escaped : escaped === '\n' ? '' : `\\${escaped}`;
    }
    return text;
  }

  #substitution(): string {
    const start = this.#at - 1;
    let depth = 0;
    while (this.#at < this.script.length) {
      const character = this.script[this.#at]!;
      this.#at += 1;
      if (character === '(') depth += 1;
      if (character === ')') depth -= 1;
      if (character === "'") this.#until("'");
      if (depth === 0 || depth > MAX_NESTING) break;
    }
    return this.script.slice(start, this.#at);
  }
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
