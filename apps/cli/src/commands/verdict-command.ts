import { type GateRequest, type Job, KilnError, type Verdict } from '@kiln/contracts';
import type { Command } from 'commander';
import { type z } from 'zod';
import type { CliContext } from '../cli-context.js';
import { exitCodeOfVerdicts } from '../exit-code.js';
import { verdictLines } from '../report/verdict-lines.js';
import { safeText } from '../terminal/safe-text.js';
import { type ServerFlags, examples, withServerFlags } from './command-options.js';
import { type GateFlags, gateOf, withGateFlags } from './gate-flags.js';

export function addVerdictCommand(parent: Command, context: CliContext): void {
  const command = parent.command('verdict <job>').description('decide a finished job by any policy, from its stored rows; stores nothing');
  withServerFlags(withGateFlags(command))
    .addHelpText(
      'after',
      `${examples(
        'kiln eval verdict 0190c2f0-…',
        'kiln eval verdict 0190c2f0-… --min-accuracy 0.8',
        'kiln eval verdict 0190c2f0-… --gate hillclimb_v1 --json',
      )}
Without a policy it is the job’s own gate. The exit code is the verdict: 0 kept, 5 inconclusive, 6 failed.\n`,
    )
    .action((id: string, flags: ServerFlags & GateFlags) => decide(context, id, flags));
}

async function decide(context: CliContext, id: string, flags: ServerFlags & GateFlags): Promise<void> {
  const asked = gateOf(flags);
  const client = await context.client(flags);
  const job = await client.call('getJob', { params: { id } });
  if (job.runs.length < 2) throw nothingToDecide(job);
  const answer = await client.call('decideVerdicts', { params: { id }, body: asked ?? gateOfJob(job) });
  if (flags.json === true) context.printJson(answer);
  else
    context.print(...answer.verdicts.flatMap((verdict, index) => [...(index === 0 ? [] : ['']), ...candidateLines(job, verdict, context)]));
  context.exitCode = exitCodeOfVerdicts(answer.verdicts);
}

function nothingToDecide({ suite }: Job): KilnError {
  return new KilnError('eval_invalid_request', 'job: it has one run, and a verdict compares two', {
    path: 'job',
    hint: `Compare two adapters: kiln eval compare --suite ${suite.name} --adapter "" --adapter <name> --watch`,
  });
}

function gateOfJob({ gate }: Job): z.input<typeof GateRequest> {
  if (gate !== null) return gate;
  throw new KilnError('eval_invalid_request', 'gate: the job has none, and no policy was named', {
    path: 'gate',
    hint: 'Name one with --gate, or give a threshold such as --min-accuracy.',
  });
}

function candidateLines(job: Job, verdict: Verdict, { style }: CliContext): string[] {
  const nameOf = (index: number): string => safeText(job.runs.find((run) => run.index === index)?.name ?? String(index));
  const title = `${nameOf(verdict.candidate_run_index)} against ${nameOf(verdict.baseline_run_index)}`;
  return [style.bold(title), ...verdictLines(verdict, style).map((line) => `  ${line}`)];
}
