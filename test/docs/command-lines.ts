import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, type MarkdownFile, inlineCode } from './documents.js';

/** One simple command: words as written, quotes kept. */
export interface CommandLine {
  readonly words: readonly string[];
  readonly line: number;
}

/** The commands of a document: lines of `sh` blocks, lines behind `$ ` in `console` blocks, and code in the text that names a program. */
export function commandLines(document: MarkdownFile): CommandLine[] {
  const shell = document.fences.flatMap(({ language, text, line }) => {
    if (language !== 'sh' && language !== 'console') return [];
    const commands = logicalLines(text, line);
    if (language === 'sh') return commands;
    return commands.filter(({ text: command }) => command.startsWith('$ ')).map((command) => ({ ...command, text: command.text.slice(2) }));
  });
  const inline = inlineCode(document)
    .filter(({ code }) => /^(\.\/kiln|kiln|kiln-eval|npm|npx|node)\s/.test(code))
    .map(({ code, line }) => ({ text: code, line }));
  return [...shell, ...inline].flatMap(({ text, line }) => simpleCommands(text).map((words) => ({ words, line })));
}

/** Joins lines that end in a backslash, and drops comments. */
function logicalLines(text: string, firstLine: number): { text: string; line: number }[] {
  const lines: { text: string; line: number }[] = [];
  let pending = '';
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.replace(/(^|\s)# .*$/, '').trimEnd();
    if (line.endsWith('\\')) pending += `${line.slice(0, -1)} `;
    else {
      if ((pending + line).trim() !== '') lines.push({ text: pending + line, line: firstLine + index });
      pending = '';
    }
  }
  return lines;
}

/** Splits at `|`, `&&`, `;` and takes variables in front away. */
function simpleCommands(text: string): string[][] {
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s"'|;&]|&(?!&))+|\||&&|;/g) ?? [];
  const commands: string[][] = [[]];
  for (const word of words) {
    if (word === '|' || word === '&&' || word === ';') commands.push([]);
    else commands.at(-1)?.push(word);
  }
  return commands
    .map((command) => command.slice(command.findIndex((word) => !/^(export|[A-Z_]+=.*)$/.test(word))))
    .filter(([word]) => word);
}

/** Commands with their options, from the generated reference: `kiln eval run` → `--suite`, `--watch`, … */
export function knownCommands(): Map<string, Set<string>> {
  const commands = new Map<string, Set<string>>();
  for (const section of readFileSync(path.join(ROOT, 'docs/cli.md'), 'utf8').split('\n## ').slice(1)) {
    const [title = ''] = section.split('\n');
    if (!title.startsWith('kiln ')) continue;
    const options = [...section.matchAll(/^\| `(?:-\w, )?(--[a-z-]+)/gm)].map(([, option = '']) => option);
    commands.set(title, new Set([...options, '--help']));
  }
  return commands;
}
