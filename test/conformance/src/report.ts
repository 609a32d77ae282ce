import { type Outcome } from './run-conformance.js';

const HEAD = ['data set', 'rows', 'examples', 'left out', 'gold pass', 'wrong refused', 'explained', 'unexplained', 'scorers'];
const LAST = HEAD.length - 1;

/** The table, and under it what was left out, skipped and explained, and all that is unexplained. */
export function reportText(outcomes: readonly Outcome[]): string {
  const notes = outcomes.flatMap(notesOf);
  return [...table(outcomes.map(cellsOf)), ...(notes.length > 0 ? ['', ...notes] : []), ''].join('\n');
}

function cellsOf(outcome: Outcome): string[] {
  if (outcome.status !== 'checked') return [outcome.name, ...HEAD.slice(1, LAST).map(() => ''), outcome.status];
  const { name, rows, examples, leftOut, gold, wrong, explained, unexplained, scorers } = outcome;
  return [
    name,
    String(rows),
    String(examples),
    String(sum(Object.values(leftOut))),
    gold.answers === 0 ? 'import only' : `${gold.passes}/${gold.answers}`,
    wrong.answers === 0 ? '' : `${wrong.refused}/${wrong.answers}`,
    String(explained.length),
    String(unexplained.length),
    scorers.join(', '),
  ];
}

/** The first and the last column to the left, the numbers between them to the right. */
function table(rows: string[][]): string[] {
  const widths = HEAD.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]!.length)));
  const align = (cell: string, column: number): string =>
    column === 0 || column === LAST ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  return [HEAD, widths.map((width) => '─'.repeat(width)), ...rows].map((row) => row.map(align).join('  ').trimEnd());
}

function notesOf(outcome: Outcome): string[] {
  if (outcome.status !== 'checked') return [`${outcome.name}: ${outcome.status}: ${outcome.why}`];
  const { name, leftOut, explained, unexplained } = outcome;
  return [
    ...Object.entries(leftOut).map(([why, count]) => `${name}: ${count} left out: ${why}`),
    ...explained.map(({ at, message }) => `${name}: explained: ${at}: ${message}`),
    ...unexplained.map(({ at, message }) => `${name}: UNEXPLAINED: ${at}: ${message}`),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
