import type { Command } from 'commander';
import type { CliContext } from '../cli-context.js';
import { type ServerFlags, examples, withServerFlags } from './command-options.js';
import { finishSubmission } from './finish-job.js';
import { submissionHeaders } from './job-request.js';
import { indexOption } from './option-values.js';

type ReplayFlags = ServerFlags & {
  readonly job: string;
  readonly runIndex?: number;
  readonly watch?: boolean;
  readonly idempotencyKey?: string;
};

export function addReplayCommand(parent: Command, context: CliContext): void {
  withServerFlags(parent.command('replay').description('generate a run of a completed job again and compare tokens and bytes'))
    .requiredOption('--job <id>', 'the completed job')
    .option('--run-index <n>', 'the run to repeat; default: 0', indexOption)
    .option('--idempotency-key <key>', 'submit at most once: the same key and request get the first answer')
    .option('--watch', 'wait for the end, and report it: exit code 8 for a mismatch, 1 when nothing was comparable')
    .addHelpText('after', examples('kiln eval replay --job 0198… --watch', 'kiln eval replay --job 0198… --run-index 1 --watch --json'))
    .action((flags: ReplayFlags) => replay(context, flags));
}

async function replay(context: CliContext, flags: ReplayFlags): Promise<void> {
  const client = await context.client(flags);
  const body = flags.runIndex === undefined ? {} : { run_index: flags.runIndex };
  const submitted = await client.call('submitReplay', { params: { id: flags.job }, body, headers: submissionHeaders(flags) });
  await finishSubmission(context, client, submitted, flags);
}
