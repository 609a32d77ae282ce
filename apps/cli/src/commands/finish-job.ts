import type { Job } from '@kiln/contracts';
import type { CliContext } from '../cli-context.js';
import type { ApiClient } from '../client/api-client.js';
import { followJob } from '../client/follow-job.js';
import { readUngraded } from '../client/read-ungraded.js';
import { exitCodeOfJob } from '../exit-code.js';
import { footnoteLines } from '../report/footnote-lines.js';
import { type JobReport, jobLines } from '../report/job-lines.js';
import { ProgressDisplay } from '../terminal/progress-display.js';

/** Waits for a job's end, showing how it goes on beside the result. */
export async function watchJob(context: CliContext, client: ApiClient, id: string): Promise<Job> {
  const { stderr } = context.surroundings;
  const display = new ProgressDisplay(stderr, Date.now());
  try {
    return await followJob(client, id, { onProgress: (job) => display.show(job) });
  } finally {
    display.end();
  }
}

/** A job with its comparisons; none for a job of one target, or one that is not finished. */
export async function reportOf(client: ApiClient, job: Job): Promise<JobReport> {
  const comparisons =
    job.runs.length > 1 && job.finished_at !== null ? await client.call('getComparison', { params: { id: job.id } }) : null;
  return { job, comparisons: comparisons?.comparisons ?? [] };
}

/** Prints a job: as JSON, or for people with the reasons of what could not be graded. */
export async function printReport(context: CliContext, client: ApiClient, report: JobReport, json: boolean): Promise<void> {
  if (json) return context.printJson({ job: report.job, comparisons: report.comparisons });
  const ungraded = await readUngraded(client, report.job);
  context.print(...jobLines(report, context.style), ...footnoteLines(report, ungraded));
}

export interface Submitted {
  readonly job_id: string;
  readonly effective_seed: string;
}

/** After a submission: says where the job is, or waits for it, reports it and takes its exit code. */
export async function finishSubmission(
  context: CliContext,
  client: ApiClient,
  submitted: Submitted,
  options: { readonly watch?: boolean | undefined; readonly json?: boolean | undefined },
): Promise<void> {
  const json = options.json === true;
  if (options.watch !== true) {
    if (json) context.printJson(submitted);
    else
      context.print(`job ${submitted.job_id}, seed ${submitted.effective_seed}`, `follow it: kiln eval show ${submitted.job_id} --watch`);
    return;
  }
  if (!json) context.note(`job ${submitted.job_id}, seed ${submitted.effective_seed} (Ctrl-C stops watching, not the job)`);
  const job = await watchJob(context, client, submitted.job_id);
  await printReport(context, client, await reportOf(client, job), json);
  context.exitCode = exitCodeOfJob(job);
}
