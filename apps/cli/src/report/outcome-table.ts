import type { RawOutcome } from '@kiln/contracts';
import { clip } from '../terminal/safe-text.js';
import { table } from '../terminal/table.js';

const COLUMNS = [
  { title: 'example' },
  { title: 'completion', align: 'right' },
  { title: 'kind' },
  { title: 'score', align: 'right' },
  { title: 'answer' },
  { title: 'detail' },
] as const;

/** One line an answer: its first line that is not blank, and how its scorer came to its score. Texts are made safe and cut. */
export function outcomeTable(outcomes: readonly RawOutcome[]): string[] {
  const rows = outcomes.map(({ example_id: id, completion_index: index, kind, score, completion_text: text, detail }) => [
    clip(id, 32),
    String(index),
    kind,
    String(Number(score.toFixed(4))),
    clip(firstLine(text), 40),
    detail === null ? '' : clip(JSON.stringify(detail), 100),
  ]);
  return table(COLUMNS, rows);
}

/** Ends with `…` where more follows. */
function firstLine(text: string): string {
  const trimmed = text.trim();
  const end = trimmed.search(/[\r\n]/);
  return end < 0 ? trimmed : `${trimmed.slice(0, end).trimEnd()} …`;
}
