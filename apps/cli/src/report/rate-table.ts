import type { Job, RunView } from '@kiln/contracts';
import { count, dollars, elapsed, interval, percent } from '../terminal/numbers.js';
import { safeText } from '../terminal/safe-text.js';
import { table } from '../terminal/table.js';

const COLUMNS = [
  { title: 'target' },
  { title: 'accuracy', align: 'right' },
  { title: '95 %' },
  { title: 'graded', align: 'right' },
  { title: '95 %' },
  { title: 'pass', align: 'right' },
  { title: 'fail', align: 'right' },
  { title: 'invalid', align: 'right' },
  { title: 'error', align: 'right' },
  { title: 'skipped', align: 'right' },
  { title: 'tokens', align: 'right' },
  { title: 'cost', align: 'right' },
  { title: 'time', align: 'right' },
] as const;

/**
 * One line a target: accuracy (passes of all examples) and graded pass rate (errors and skips left out) with their Wilson
 * intervals, outcomes by kind (skipped ones where there are any), tokens, cost, time.
 */
export function rateTable({ runs }: Pick<Job, 'runs'>): string[] {
  const skips = runs.some(({ metrics }) => (metrics?.counts.skipped ?? 0) > 0);
  const columns = skips ? COLUMNS : COLUMNS.filter(({ title }) => title !== 'skipped');
  return table(
    columns,
    runs.map((run) => row(run, skips)),
    2,
  );
}

/** @param skips  whether there is a column for what was skipped */
function row(run: RunView, skips: boolean): string[] {
  const { metrics } = run;
  const [name, time] = [safeText(run.name), elapsed(run) ?? '–'];
  if (metrics === null) {
    const unknown = Array.from({ length: skips ? 5 : 4 }, () => '–');
    return [name, '–', '', '–', '', ...unknown, count(run.spend.tokens), dollars(run.spend.usd), time];
  }
  const { counts } = metrics;
  return [
    name,
    percent(metrics.accuracy),
    interval(metrics.accuracy_confidence_interval),
    percent(metrics.graded_pass_rate),
    interval(metrics.graded_pass_rate_confidence_interval),
    count(counts.pass),
    count(counts.fail),
    count(counts.invalid),
    count(counts.error),
    ...(skips ? [count(counts.skipped)] : []),
    count(metrics.total_prompt_tokens + metrics.total_completion_tokens),
    dollars(metrics.cost_usd),
    time,
  ];
}
