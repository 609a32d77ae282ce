import { JobKind, JobState } from '@kiln/contracts';
import { type Command, Option } from 'commander';
import type { CliContext } from '../cli-context.js';
import { exitCodeOfJob } from '../exit-code.js';
import { ago, percent } from '../terminal/numbers.js';
import { clip, safeText } from '../terminal/safe-text.js';
import { table } from '../terminal/table.js';
import { type ServerFlags, examples, withServerFlags } from './command-options.js';
import { printReport, reportOf, watchJob } from './finish-job.js';
import { listOption, pageLimitOption } from './option-values.js';

type ListFlags = ServerFlags & {
  readonly state?: string[];
  readonly kind?: string[];
  readonly suite?: string;
  readonly label?: string[];
  readonly limit: number;
};

const COLUMNS = [
  { title: 'job' },
  { title: 'kind' },
  { title: 'state' },
  { title: 'suite' },
  { title: 'targets' },
  { title: 'samples', align: 'right' },
  { title: 'accuracy', align: 'right' },
  { title: 'submitted' },
] as const;

export function addJobCommands(parent: Command, context: CliContext): void {
  withServerFlags(parent.command('jobs').description('list jobs, the newest first'))
    .addOption(new Option('--state <state>', `only jobs in it; may be repeated (${JobState.options.join(', ')})`).argParser(listOption))
    .addOption(new Option('--kind <kind>', `only jobs of it; may be repeated (${JobKind.options.join(', ')})`).argParser(listOption))
    .option('--suite <name>', 'only jobs on this suite')
    .option('--label <key=value>', 'only jobs with this label; may be repeated', listOption)
    .option('--limit <n>', 'how many, at most 1000', pageLimitOption, 20)
    .addHelpText(
      'after',
      examples('kiln eval jobs', 'kiln eval jobs --state running --state queued', 'kiln eval jobs --label git_sha=4f0c2d1 --json'),
    )
    .action((flags: ListFlags) => listJobs(context, flags));
  withServerFlags(parent.command('show <job>').description('show a job: rates, tests, verdicts'))
    .option('--watch', 'wait for its end first')
    .addHelpText('after', examples('kiln eval show 0190c2f0-…', 'kiln eval show 0190c2f0-… --watch --json'))
    .action((id: string, flags: ServerFlags & { watch?: boolean }) => showJob(context, id, flags));
  withServerFlags(parent.command('cancel <job>').description('cancel a job; what it has measured so far stays'))
    .addHelpText('after', examples('kiln eval cancel 0190c2f0-…'))
    .action((id: string, flags: ServerFlags) => cancelJob(context, id, flags));
}

async function listJobs(context: CliContext, flags: ListFlags): Promise<void> {
  const client = await context.client(flags);
  const { state, kind, suite, label, limit } = flags;
  const page = await client.call('listJobs', { query: { state, kind, suite, label, limit } });
  if (flags.json === true) return context.printJson(page);
  if (page.jobs.length === 0) return context.print('no jobs');
  const now = Date.now();
  const rows = page.jobs.map((job) => [
    job.id,
    job.kind,
    job.state,
    safeText(job.suite.name),
    clip(job.targets.join(', '), 40),
    `${job.progress.samples_completed}/${job.progress.samples_total}`,
    percent(job.progress.running_accuracy),
    ago(job.created_at, now),
  ]);
  context.print(...table(COLUMNS, rows));
}

async function showJob(context: CliContext, id: string, flags: ServerFlags & { watch?: boolean }): Promise<void> {
  const client = await context.client(flags);
  const job = flags.watch === true ? await watchJob(context, client, id) : await client.call('getJob', { params: { id } });
  await printReport(context, client, await reportOf(client, job), flags.json === true);
  if (flags.watch === true) context.exitCode = exitCodeOfJob(job);
}

async function cancelJob(context: CliContext, id: string, flags: ServerFlags): Promise<void> {
  const client = await context.client(flags);
  const answer = await client.call('cancelJob', { params: { id } });
  if (flags.json === true) context.printJson(answer);
  else context.print(`${answer.status}${answer.note === '' ? '' : `: ${safeText(answer.note)}`}`);
}
