import { KilnError, ScorerKind } from '@kiln/contracts';
import type { Command } from 'commander';
import type { RescoreRequest } from '@kiln/contracts';
import { type z } from 'zod';
import type { CliContext } from '../cli-context.js';
import { readObject } from '../client/read-object.js';
import { type ServerFlags, examples, withServerFlags } from './command-options.js';
import { finishSubmission } from './finish-job.js';
import { type SpendFlags, spendFields, submissionHeaders, withSpendFlags } from './job-request.js';
import { indexOption, listOption } from './option-values.js';

type RescoreFlags = ServerFlags & SpendFlags & { readonly job: string; readonly scorer: readonly string[]; readonly runIndex?: number };
type NamedScorer = z.input<typeof RescoreRequest>['scorers'][number];

export function addRescoreCommand(parent: Command, context: CliContext): void {
  withServerFlags(
    withSpendFlags(parent.command('rescore').description('score the stored traces of a finished job again; generates nothing')),
  )
    .requiredOption('--job <id>', 'the finished job')
    .requiredOption('--scorer <scorer>', 'its kind, a JSON object, or a JSON or YAML file; repeat it to compare scorers', listOption)
    .option('--run-index <n>', 'only this run of the job; default: all', indexOption)
    .addHelpText(
      'after',
      examples(
        'kiln eval rescore --job 0198… --scorer exact_match --watch',
        `kiln eval rescore --job 0198… --scorer '{"kind": "contains", "phrases": ["185"]}' --watch`,
        'kiln eval rescore --job 0198… --scorer judge-a.yaml --scorer judge-b.yaml --judge qwen3 --watch',
      ),
    )
    .action((flags: RescoreFlags) => rescore(context, flags));
}

async function rescore(context: CliContext, flags: RescoreFlags): Promise<void> {
  const client = await context.client(flags);
  const scorers = await Promise.all(flags.scorer.map(namedScorer));
  const body = {
    scorers,
    ...(flags.runIndex === undefined ? {} : { run_index: flags.runIndex }),
    ...(await spendFields(flags)),
  };
  const submitted = await client.call('submitRescore', { params: { id: flags.job }, body, headers: submissionHeaders(flags) });
  await finishSubmission(context, client, submitted, flags);
}

/** A scorer, or one of the other forms that the server reads, as it stands in a file. */
async function namedScorer(text: string): Promise<NamedScorer> {
  if (ScorerKind.safeParse(text).success) return { scorer: { kind: text } } as NamedScorer;
  if (/^\w+$/.test(text)) {
    throw new KilnError('eval_invalid_request', `scorer: there is no kind ${JSON.stringify(text)}`, {
      path: 'scorer',
      hint: `Kinds: ${ScorerKind.options.join(', ')}. One that needs settings is written as JSON, or in a JSON or YAML file.`,
    });
  }
  const written = await readObject(text, 'scorer');
  return ('kind' in written ? { scorer: written } : written) as NamedScorer;
}
