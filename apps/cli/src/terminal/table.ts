/** A cell: text as it is shown, and its width when that differs (colours take no room). */
export type Cell = string | { readonly text: string; readonly width: number };

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/**
 * Lines of a table with as narrow columns as its content allows, two spaces apart. The caller makes cells safe to show.
 * @param indent  spaces before each line
 */
export function table(columns: readonly Column[], rows: readonly (readonly Cell[])[], indent = 0): string[] {
  const all: readonly (readonly Cell[])[] = columns.some(({ title }) => title !== '') ? [columns.map(({ title }) => title), ...rows] : rows;
  const widths = columns.map((_, index) => Math.max(...all.map((row) => widthOf(row[index] ?? '')), 0));
  return all.map((row) => {
    const cells = columns.map(({ align }, index) => pad(row[index] ?? '', widths[index] ?? 0, align ?? 'left'));
    return `${' '.repeat(indent)}${cells.join('  ')}`.trimEnd();
  });
}

function pad(cell: Cell, width: number, align: 'left' | 'right'): string {
  const text = typeof cell === 'string' ? cell : cell.text;
  const room = ' '.repeat(Math.max(width - widthOf(cell), 0));
  return align === 'left' ? `${text}${room}` : `${room}${text}`;
}

function widthOf(cell: Cell): number {
  return typeof cell === 'string' ? [...cell].length : cell.width;
}
