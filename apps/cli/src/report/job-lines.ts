import { type Comparison, type Job, type SuiteSummary, aggregationLabel } from '@kiln/contracts';
import { count, counted, dollars, elapsed, percent } from '../terminal/numbers.js';
import { safeText } from '../terminal/safe-text.js';
import type { Style } from '../terminal/style.js';
import { comparisonLines } from './comparison-lines.js';
import type { Flip } from './flip-lines.js';
import { replayLines } from './replay-lines.js';
import { rateTable } from './rate-table.js';

export interface JobReport {
  readonly job: Job;
  readonly comparisons: readonly Comparison[];
  /** Flips with their texts, by run index of the candidate; absent = ids only. */
  readonly flips?: ReadonlyMap<number, readonly Flip[]>;
}

/** Everything there is to say about a job. */
export function jobLines({ job, comparisons, flips }: JobReport, style: Style): string[] {
  const lines = [headLine(job, style), stateLine(job, style), '', ...rateTable(job)];
  if (job.runs.some(({ metrics }) => metrics !== null)) {
    lines.push(style.dim('  accuracy = passes of all examples; graded = passes of those that were graded (no errors, no skips)'));
  }
  for (const { index, name, coverage } of job.runs) {
    if (coverage.complete_examples >= coverage.total_examples || job.finished_at === null) continue;
    lines.push(`  ${safeText(name)}: ${coverage.complete_examples} of ${coverage.total_examples} examples are complete (run ${index})`);
  }
  if (job.suite.scorer_waiver !== null && job.gate !== null) {
    lines.push(style.doubtful(`  scorer waiver of the suite: ${safeText(job.suite.scorer_waiver)}`));
  }
  lines.push(...replayLines(job, style));
  for (const comparison of comparisons) {
    const verdict = job.verdicts.find(({ candidate_run_index: index }) => index === comparison.candidate.run_index) ?? null;
    lines.push('', ...comparisonLines(comparison, verdict, flips?.get(comparison.candidate.run_index) ?? null, style));
  }
  lines.push('', spendLine(job));
  return lines;
}

function headLine(job: Job, style: Style): string {
  const { suite } = job;
  const examples = counted(suite.num_examples, job.selection === null ? 'example' : 'selected example');
  const parts = [style.bold(safeText(suite.name)), examples, aggregationLabel(job.aggregation)];
  return [...parts, `seed ${job.effective_seed}`, `job ${job.id}`].join(' · ');
}

function stateLine(job: Job, style: Style): string {
  const { state } = job;
  const shown = state === 'completed' ? style.good(state) : state === 'failed' ? style.bad(state) : style.doubtful(state);
  const parts = [shown];
  if (job.stop_reason !== null) parts.push(`stopped by ${job.stop_reason}`);
  if (job.error !== null) parts.push(safeText(job.error));
  const time = elapsed(job);
  if (time !== null) parts.push(`in ${time}`);
  if (job.finished_at === null)
    parts.push(
      `${job.progress.samples_completed}/${job.progress.samples_total} samples, accuracy so far ${percent(job.progress.running_accuracy)}`,
    );
  for (const [key, value] of Object.entries(job.labels)) parts.push(`${safeText(key)}=${safeText(value)}`);
  return parts.join(' · ');
}

function spendLine(job: Job): string {
  const { spend } = job;
  const time = elapsed(job);
  const parts = [`cost ${dollars(spend.usd)}`, `${count(spend.tokens)} tokens`];
  if (job.cost_cap !== null) parts.push(`cap ${dollars(job.cost_cap)}`);
  if (job.token_cap !== null) parts.push(`cap ${count(job.token_cap)} tokens`);
  if (time !== null) parts.push(time);
  return parts.join(' · ');
}

/** Tags of a suite, the most frequent first. */
export function tagList({ tags }: Pick<SuiteSummary, 'tags'>, most = 6): string {
  const sorted = Object.entries(tags).toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const shown = sorted.slice(0, most).map(([tag, examples]) => `${safeText(tag)} ${examples}`);
  return `${shown.join(', ')}${sorted.length > most ? ', …' : ''}`;
}
