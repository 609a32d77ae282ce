import { KilnError } from '@kiln/contracts';
import type { Command } from 'commander';
import type { CliContext } from '../cli-context.js';
import { readSuiteFile } from '../client/read-suite-file.js';
import { type ServerFlags, examples, withServerFlags } from './command-options.js';
import { finishSubmission } from './finish-job.js';
import { withGateFlags } from './gate-flags.js';
import {
  type CompareFlags,
  type JobFlags,
  type RunBody,
  compareBody,
  runBody,
  submissionHeaders,
  withCompareFlags,
  withJobFlags,
} from './job-request.js';

type RunFlags = ServerFlags & JobFlags & { readonly suite?: string; readonly file?: string; readonly adapter?: string };

export function addSubmitCommands(parent: Command, context: CliContext): void {
  withServerFlags(withJobFlags(parent.command('run').description('evaluate one model on one suite')))
    .option('--suite <name>', 'a registered suite')
    .option('--file <path>', 'a suite file that is sent along and not registered')
    .option('--adapter <name>', 'the adapter; default, and "": the base model')
    .addHelpText(
      'after',
      examples(
        'kiln eval run --suite math-smoke --watch',
        'kiln eval run --suite arithmetic-200 --adapter math-v2 --seed 42 --watch --json',
        'kiln eval run --file my-suite.yaml --adapter "" --cost-cap 0.50',
      ),
    )
    .action((flags: RunFlags) => run(context, flags));
  const compareCommand = parent.command('compare').description('compare adapters on one suite, with one seed');
  withServerFlags(withJobFlags(withGateFlags(withCompareFlags(compareCommand))))
    .addHelpText(
      'after',
      `${examples(
        'kiln eval compare --suite arithmetic-200 --adapter "" --adapter math-v2 --seed 42 --watch',
        'kiln eval compare --suite arithmetic-200 --adapter "" --adapter math-v2 --min-accuracy 0.5 --watch',
        'kiln eval compare --suite regression --adapter "" --adapter math-v2 --gate objective_gates_v1 --gate-rounds-pct 10 --watch',
        'kiln eval compare --suite grooming --adapter v1 --adapter v2 --gate hillclimb_v1 --watch',
      )}
With --watch and a gate the exit code is the verdict: 0 kept, 5 inconclusive, 6 failed; 7 when the job was capped or cancelled.\n`,
    )
    .action((flags: ServerFlags & CompareFlags) => compare(context, flags));
}

async function run(context: CliContext, flags: RunFlags): Promise<void> {
  const client = await context.client(flags);
  const body = await runBody(await suiteOf(flags), flags);
  const submitted = await client.call('submitRun', { body, headers: submissionHeaders(flags) });
  await finishSubmission(context, client, submitted, flags);
}

async function compare(context: CliContext, flags: ServerFlags & CompareFlags): Promise<void> {
  const client = await context.client(flags);
  const submitted = await client.call('submitCompare', { body: await compareBody(flags), headers: submissionHeaders(flags) });
  await finishSubmission(context, client, submitted, flags);
}

async function suiteOf({ suite, file }: RunFlags): Promise<Pick<RunBody, 'suite' | 'inline_suite'>> {
  if ((suite === undefined) === (file === undefined)) {
    throw new KilnError('eval_invalid_request', 'suite: give exactly one of --suite and --file', {
      path: 'suite',
      hint: '--suite names a registered suite (kiln eval list); --file sends one along',
    });
  }
  if (file === undefined) return suite === undefined ? {} : { suite };
  // The server checks it against the same schema; here it is only read.
  return { inline_suite: (await readSuiteFile(file)) as NonNullable<RunBody['inline_suite']> };
}
