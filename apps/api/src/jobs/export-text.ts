import { type RawOutcome } from '@kiln/contracts';
import { type Database, readOutcomePage, type RunResults } from '@kiln/database';
import { csvRow } from './csv-row.js';
import { rawOutcome } from './outcome-view.js';

const PAGE = 500;

/** Columns of the CSV form, in order; objects are JSON. */
const COLUMNS = [
  'example_id',
  'completion_index',
  'kind',
  'score',
  'completion_text',
  'raw_completion_text',
  'text_changed',
  'reasoning_text',
  'unclosed_thinking',
  'detail',
  'generation_seed',
  'stop_reason',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  'latency_ms',
  'cost_usd',
  'price_basis',
  'tool_calls',
  'thinking_budget',
  'tags',
  'metadata',
] as const satisfies readonly (keyof RawOutcome)[];

/**
 * Every completion of a job as text, run by run in suite order, one page in memory at a time. The reader sets the pace: a page
 * is read when the one before has been taken, and no connection is held between pages.
 */
export async function* exportText(db: Database, runs: readonly RunResults[], format: 'jsonl' | 'csv'): AsyncGenerator<string> {
  if (format === 'csv') yield csvRow(['run_index', 'run_name', ...COLUMNS]);
  for (const run of runs) {
    for await (const outcomes of pages(db, run)) yield outcomes.map((outcome) => line(outcome, run, format)).join('');
  }
}

async function* pages(db: Database, run: RunResults): AsyncGenerator<RawOutcome[]> {
  let after: { ordinal: number; completionIndex: number } | null = null;
  for (;;) {
    const page = { runId: run.runId, suiteVersionId: run.suiteVersionId, kinds: null, after, limit: PAGE };
    const rows = await readOutcomePage(db, page);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => rawOutcome(row, run));
    after = { ordinal: last.ordinal, completionIndex: last.completionIndex };
  }
}

function line(outcome: RawOutcome, { runIndex, runName }: RunResults, format: 'jsonl' | 'csv'): string {
  if (format === 'jsonl') return `${JSON.stringify({ run_index: runIndex, run_name: runName, ...outcome })}\n`;
  return csvRow([runIndex, runName, ...COLUMNS.map((column) => outcome[column])]);
}
