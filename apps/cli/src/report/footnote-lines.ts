import { type Comparison, type Job } from '@kiln/contracts';
import { type Ungraded } from '../client/read-ungraded.js';
import { percent } from '../terminal/numbers.js';
import { clip, safeText } from '../terminal/safe-text.js';
import { type JobReport } from './job-lines.js';

/** Reasons that are shown; the rest is in the export. */
const SHOWN_REASONS = 6;
const REASON_WIDTH = 120;

/** What a reader of a job's numbers would otherwise have to ask: why answers were not graded, who judged, what the cost is of. */
export function footnoteLines({ job, comparisons }: Pick<JobReport, 'job' | 'comparisons'>, ungraded: readonly Ungraded[]): string[] {
  return [...spendLines(job), ...ungradedLines(ungraded), ...judgeLines(job), ...agreementLines(job, comparisons)];
}

function ungradedLines(ungraded: readonly Ungraded[]): string[] {
  const lines = ungraded.slice(0, SHOWN_REASONS).map(({ runName, kind, reason, samples, firstExampleId }) => {
    const where = `${safeText(runName)}, ${samples} ${samples === 1 ? 'sample' : 'samples'}, first ${clip(firstExampleId, 40)}`;
    return `${kind}: ${clip(reason, REASON_WIDTH)} (${where})`;
  });
  const hidden = ungraded.length - lines.length;
  return hidden > 0 ? [...lines, `${hidden} more reasons: kiln eval outcomes lists every answer`] : lines;
}

/** A model that judges itself is seldom meant. */
function judgeLines({ runs }: Job): string[] {
  const own = runs.filter(
    ({ target, judges }) => target.kind === 'model' && judges.some((judge) => judge.kind === 'model' && judge.model === target.model),
  );
  const names = own.map(({ name }) => safeText(name)).join(', ');
  return own.length === 0 ? [] : [`judge: ${names} was judged by the model that answered; --judge names another one`];
}

/** Two scorers of the same answers, two judges above all, agree or do not. */
function agreementLines({ kind }: Job, comparisons: readonly Comparison[]): string[] {
  if (kind !== 'rescore') return [];
  return comparisons.flatMap(({ agreement, baseline, candidate }) => {
    if (agreement === null) return [];
    const kappa = agreement.cohen_kappa === null ? '' : `, Cohen’s kappa ${agreement.cohen_kappa.toFixed(2)}`;
    return [`agreement: ${safeText(candidate.name)} with ${safeText(baseline.name)} on ${percent(agreement.rate)} of the examples${kappa}`];
  });
}

/** Judging, and answers of earlier jobs, set what the job used apart from what its answers took. */
function spendLines({ runs, spend, finished_at: finishedAt }: Job): string[] {
  if (finishedAt === null) return [];
  let answers = 0;
  for (const { metrics } of runs) {
    if (metrics === null) return [];
    answers += metrics.total_prompt_tokens + metrics.total_completion_tokens;
  }
  if (answers === spend.tokens) return [];
  return [
    'tokens, cost: the table has those of the answers, the line above what this job used: with judging, without answers of earlier jobs',
  ];
}
