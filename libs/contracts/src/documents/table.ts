/** A Markdown table. Cells are one line; pipes inside must be escaped already. */
export function table(header: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll(/\s+/g, ' ').trim()).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}
