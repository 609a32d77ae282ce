import { KilnError, type RerunKind, type RerunRequest } from '@kiln/contracts';
import { type Command, Option } from 'commander';
import { type z } from 'zod';
import type { CliContext } from '../cli-context.js';
import { type ServerFlags, examples, withServerFlags } from './command-options.js';
import { finishSubmission } from './finish-job.js';
import { type SpendFlags, submissionHeaders } from './job-request.js';
import { countOption, labelOption, listOption, seedOption, usdOption } from './option-values.js';

type RerunFlags = ServerFlags &
  Omit<SpendFlags, 'judge'> & {
    readonly job: string;
    readonly adapter?: string;
    readonly kind?: readonly string[];
    readonly includePass?: boolean;
    readonly seed?: string;
  };

type RerunBody = z.input<typeof RerunRequest>;

const KINDS: readonly string[] = ['fail', 'invalid', 'error'] satisfies RerunKind[];

export function addRerunCommand(parent: Command, context: CliContext): void {
  withServerFlags(parent.command('rerun').description('run the examples of a finished job again that failed in any of its runs'))
    .requiredOption('--job <id>', 'the finished job')
    .option('--adapter <name>', 'run this adapter ("" = the base model) instead of the targets of the job')
    .addOption(
      new Option('--kind <kind>', 'examples that came to this: fail, invalid or error; repeat it; default: all three').argParser(
        listOption,
      ),
    )
    .option('--include-pass', 'examples that passed, too')
    .option('--seed <u64>', 'default: the seed of the job', seedOption)
    .option('--label <key=value>', 'attach a label; may be repeated', labelOption)
    .option('--cost-cap <usd>', 'start nothing that could exceed so many US dollars', usdOption)
    .option('--token-cap <n>', 'start nothing that could exceed so many tokens', countOption)
    .option('--concurrency <n>', 'shards worked on at a time, over the whole fleet', countOption)
    .option('--idempotency-key <key>', 'submit at most once: the same key and request get the first answer')
    .option('--watch', 'wait for the end, and report it')
    .addHelpText(
      'after',
      examples(
        'kiln eval rerun --job 0198… --watch',
        'kiln eval rerun --job 0198… --kind error --watch',
        'kiln eval rerun --job 0198… --adapter math-v3 --kind fail --kind invalid --watch',
      ),
    )
    .action((flags: RerunFlags) => rerun(context, flags));
}

async function rerun(context: CliContext, flags: RerunFlags): Promise<void> {
  const client = await context.client(flags);
  const submitted = await client.call('submitRerun', {
    params: { id: flags.job },
    body: rerunBody(flags),
    headers: submissionHeaders(flags),
  });
  await finishSubmission(context, client, submitted, flags);
}

function rerunBody(flags: RerunFlags): RerunBody {
  const unknown = flags.kind?.find((kind) => !KINDS.includes(kind));
  if (unknown !== undefined) {
    throw new KilnError('eval_invalid_request', `kind: is ${JSON.stringify(unknown)}`, { path: 'kind', hint: `Use ${KINDS.join(', ')}.` });
  }
  return {
    ...(flags.adapter === undefined ? {} : { adapter: flags.adapter }),
    ...(flags.kind === undefined ? {} : { outcome_kinds: flags.kind as RerunKind[] }),
    ...(flags.includePass === true ? { include_pass: true } : {}),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.label === undefined ? {} : { labels: { ...flags.label } }),
    ...(flags.costCap === undefined ? {} : { cost_cap: flags.costCap }),
    ...(flags.tokenCap === undefined ? {} : { token_cap: flags.tokenCap }),
    ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
  };
}
