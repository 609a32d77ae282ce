import type { Job, RunView } from '@kiln/contracts';
import { count, dollars, duration, interval, percent } from '../terminal/numbers.js';
import { safeText } from '../terminal/safe-text.js';
import { table } from '../terminal/table.js';

const COLUMNS = [
  { title: 'arm' },
  { title: 'accuracy', align: 'right' },
  { title: '95 %' },
  { title: 'graded', align: 'right' },
  { title: '95 %' },
  { title: 'pass', align: 'right' },
  { title: 'fail', align: 'right' },
  { title: 'invalid', align: 'right' },
  { title: 'error', align: 'right' },
  { title: 'tokens', align: 'right' },
  { title: 'cost', align: 'right' },
  { title: 'time', align: 'right' },
] as const;

/**
 * One line an arm: accuracy (passes of all examples) and graded pass rate (errors and skips left out) with their Wilson
 * intervals, outcomes by kind, tokens, cost, time.
 */
export function rateTable(job: Pick<Job, 'runs'>): string[] {
  return table(COLUMNS, job.runs.map(row), 2);
}

/** The name of an arm as it is shown. */
export function armName(run: Pick<RunView, 'name' | 'adapter'>): string {
  return safeText(run.name === '' ? 'base' : run.name);
}

function row(run: RunView): string[] {
  const { metrics } = run;
  const time =
    run.started_at !== null && run.finished_at !== null ? duration(Date.parse(run.finished_at) - Date.parse(run.started_at)) : '–';
  if (metrics === null) return [armName(run), '–', '', '–', '', '–', '–', '–', '–', count(run.spend.tokens), dollars(run.spend.usd), time];
  const { counts } = metrics;
  return [
    armName(run),
    percent(metrics.accuracy),
    interval(metrics.accuracy_confidence_interval),
    percent(metrics.graded_pass_rate),
    interval(metrics.graded_pass_rate_confidence_interval),
    count(counts.pass),
    count(counts.fail),
    count(counts.invalid),
    count(counts.error),
    count(metrics.total_prompt_tokens + metrics.total_completion_tokens),
    dollars(metrics.cost_usd),
    time,
  ];
}
