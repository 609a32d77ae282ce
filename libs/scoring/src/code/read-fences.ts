/** A fenced block of Markdown. */
export interface Fence {
  /** The first word behind the opening fence, as written; empty when there is none. */
  readonly language: string;
  /** The lines between the fences, each with its line end. */
  readonly code: string;
}

const OPENING = /^( {0,3})(`{3,}|~{3,})([^]*)$/;

/**
 * The fenced blocks of a text, as CommonMark reads them: of back-ticks or tildes, indented by up to three spaces (which the
 * content loses too), closed by a fence of the same character that is at least as long, or by the end of the text. A
 * longer fence holds shorter ones as its content; back-ticks behind an opening of back-ticks make it inline code.
 */
export function readFences(text: string): Fence[] {
  const fences: Fence[] = [];
  if (!text.includes('```') && !text.includes('~~~')) return fences;
  let open: { indent: number; marker: string; language: string; from: string[] } | null = null;
  for (const line of linesOf(text)) {
    const [, indent = '', marker = '', info = ''] = OPENING.exec(withoutEnd(line)) ?? [];
    if (open !== null) {
      if (closes(open.marker, marker, info)) {
        fences.push({ language: open.language, code: open.from.join('') });
        open = null;
      } else open.from.push(withoutIndent(line, open.indent));
    } else if (marker !== '' && !(marker.startsWith('`') && info.includes('`'))) {
      open = { indent: indent.length, marker, language: info.trim().split(/\s/, 1)[0] ?? '', from: [] };
    }
  }
  if (open !== null) fences.push({ language: open.language, code: open.from.join('') });
  return fences;
}

function closes(opening: string, marker: string, info: string): boolean {
  return marker[0] === opening[0] && marker.length >= opening.length && info.trim() === '';
}

/** Lines with their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

function withoutEnd(line: string): string {
  return line.replace(/[\r\n]+$/, '');
}

function withoutIndent(line: string, width: number): string {
  let at = 0;
  while (at < width && line[at] === ' ') at += 1;
  return line.slice(at);
}
