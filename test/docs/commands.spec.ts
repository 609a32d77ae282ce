import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLines, knownCommands } from './command-lines.js';
import { ROOT, inlineCode, parse, writtenDocuments } from './documents.js';

const documents = writtenDocuments();
const known = knownCommands();
/** Options that the programs behind `npm run` list in their usage. */
const scriptOptions = ['bench/src/engine', 'bench/src/overhead', 'bench/src/scoring', 'test/conformance/src'].flatMap((folder) =>
  Array.from(readFileSync(path.join(ROOT, folder, 'options.ts'), 'utf8').matchAll(/^ {2}(--[a-z-]+) /gm), ([, option]) => option!),
);
const allOptions = new Set([...[...known.values()].flatMap((options) => [...options]), ...scriptOptions]);
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** Options of other programs that the text mentions by name. */
const FOREIGN_OPTIONS = new Set(['--project', '--force', '--redis', '--json', '--security-opt']);

describe('commands in the documents', () => {
  it.each(documents.map((document) => [document.file, document] as const))('%s: exist, with their options', (_name, document) => {
    const flaws = commandLines(document).flatMap(({ words, line }) => {
      const flaw = flawOf(words);
      return flaw === null ? [] : [`line ${line}: ${words.join(' ')}: ${flaw}`];
    });
    expect(flaws).toEqual([]);
  });

  it.each(documents.map((document) => [document.file, document] as const))('%s: options in the text exist', (_name, document) => {
    const options = inlineCode(document)
      .map(({ code }) => /^(--[a-z-]+)/.exec(code)?.[1])
      .filter((option) => option !== undefined);
    expect(options.filter((option) => !allOptions.has(option) && !FOREIGN_OPTIONS.has(option))).toEqual([]);
  });

  it('are found: the README shows both of its commands', () => {
    const readme = documents.find(({ file }) => file === 'README.md');
    const lines = readme === undefined ? [] : commandLines(readme).map(({ words }) => words.join(' '));
    expect(lines).toEqual(expect.arrayContaining(['./kiln demo', './kiln test']));
  });

  it.each([
    ['./kiln eval frobnicate', 'no such command'],
    ['./kiln eval run --sweet x', 'no option --sweet'],
    ['kiln-eval compare --suite x --adapter "" --frob', 'no option --frob'],
    ['KILN_PORT=1 ./kiln up --port 9 && kiln keys make', 'no such command'],
    ['npm run tset', 'no such script'],
    ['npx vitest run libs/nowhere', 'no such file'],
  ])('would be refused: %s', (text, flaw) => {
    const lines = commandLines(parse('x.md', `\`\`\`sh\n${text}\n\`\`\``));
    expect(lines.map(({ words }) => flawOf(words)).filter((found) => found !== null)).toEqual([flaw]);
  });
});

function flawOf(words: readonly string[]): string | null {
  const [program = '', ...rest] = words;
  switch (program.replace(/^\.\//, '')) {
    case 'kiln':
      return flawOfKiln(rest);
    case 'kiln-eval':
      return flawOfKiln(['eval', ...rest]);
    case 'npm':
      return rest[0] !== 'run' || Object.hasOwn(scripts, rest[1] ?? '') ? null : 'no such script';
    case 'npx':
    case 'node':
      return rest.every((word) => !/^(apps|libs|test|tools|bench|suites)\//.test(word) || isThere(word)) ? null : 'no such file';
    default:
      return null;
  }
}

/** What `tsc -b` writes need not be there. */
function isThere(file: string): boolean {
  return existsSync(path.join(ROOT, file.replace('/dist/', '/src/').replace(/(\/src\/.*)\.js$/, '$1.ts')));
}

function flawOfKiln(words: readonly string[]): string | null {
  const firstOption = words.findIndex((word) => word.startsWith('-'));
  const plain = words.slice(0, firstOption === -1 ? words.length : firstOption);
  if (plain.length === 0 && words.length > 0) return words.join() === '--version' || words.join() === '--help' ? null : 'no such option';
  if (plain.length === 0 || plain.at(-1) === '…') return isGroup(plain.filter((word) => word !== '…')) ? null : 'no such command';
  const command = [plain.slice(0, 1), plain.slice(0, 2)].map((path) => ['kiln', ...path].join(' ')).find((name) => known.has(name));
  if (command === undefined) return words.length === plain.length && isGroup(plain) ? null : 'no such command';
  const unknown = words.filter((word) => word.startsWith('--')).find((word) => !known.get(command)?.has(word.split('=')[0] ?? ''));
  return unknown === undefined ? null : `no option ${unknown}`;
}

function isGroup(words: readonly string[]): boolean {
  const prefix = ['kiln', ...words].join(' ');
  return [...known.keys()].some((name) => name === prefix || name.startsWith(`${prefix} `));
}
