import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Made from code; what they say is checked where they are made. */
export const GENERATED: ReadonlySet<string> = new Set(['docs/api.md', 'docs/configuration.md', 'docs/cli.md']);

export interface Fence {
  /** First word behind the back-ticks: `sh`, `json`. */
  readonly language: string;
  /** The other words. For JSON and YAML the first names the schema that reads the text. */
  readonly info: readonly string[];
  readonly text: string;
  /** Of the first line of the text, from 1. */
  readonly line: number;
}

export interface MarkdownFile {
  /** Path from the root of the repository. */
  readonly file: string;
  readonly text: string;
  readonly fences: readonly Fence[];
  /** The text without its fences; lines keep their numbers. */
  readonly prose: string;
}

const SKIPPED = new Set(['node_modules', 'dist', 'coverage']);

/** Every Markdown file of the repository, sorted by path. */
export function markdownFiles(): MarkdownFile[] {
  return filesBelow(ROOT)
    .toSorted()
    .map((file) => parse(file, readFileSync(path.join(ROOT, file), 'utf8')));
}

/** The files that people wrote. */
export function writtenDocuments(): MarkdownFile[] {
  return markdownFiles().filter(({ file }) => !GENERATED.has(file));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name.startsWith('.') || SKIPPED.has(entry.name) ? [] : filesBelow(full);
    return entry.name.endsWith('.md') ? [path.relative(ROOT, full)] : [];
  });
}

/** Takes fenced blocks apart from prose. */
export function parse(file: string, text: string): MarkdownFile {
  const fences: Fence[] = [];
  const prose: string[] = [];
  let open: { indent: number; language: string; info: string[]; lines: string[]; line: number } | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    const [, indent = '', marker, info = ''] = /^(\s*)(```)?(.*)$/.exec(line) ?? [];
    const isMarker = marker !== undefined;
    prose.push(open !== null || isMarker ? '' : line);
    if (open === null) {
      const [language = '', ...words] = info.trim().split(/\s+/);
      if (isMarker) open = { indent: indent.length, language, info: words, lines: [], line: index + 2 };
    } else if (isMarker) {
      fences.push({ language: open.language, info: open.info, text: open.lines.join('\n'), line: open.line });
      open = null;
    } else open.lines.push(line.slice(open.indent));
  }
  if (open !== null) throw new Error(`${file}: the block at line ${open.line} is not closed`);
  return { file, text, fences, prose: prose.join('\n') };
}

/** Code between single back-ticks, with its line. */
export function inlineCode({ prose }: MarkdownFile): { code: string; line: number }[] {
  return prose.split('\n').flatMap((text, index) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => ({ code, line: index + 1 })));
}

/** Anchors of the headings, as GitHub makes them. */
export function anchorsOf({ prose }: MarkdownFile): Set<string> {
  return new Set(
    [...prose.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );
}
