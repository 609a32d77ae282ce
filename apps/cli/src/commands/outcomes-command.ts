import { KilnError, OutcomeKind, type RawOutcome } from '@kiln/contracts';
import { type Command, Option } from 'commander';
import type { CliContext } from '../cli-context.js';
import { readOutcomes } from '../client/read-outcomes.js';
import { outcomeTable } from '../report/outcome-table.js';
import { type ServerFlags, examples, withServerFlags } from './command-options.js';
import { countOption, indexOption, listOption } from './option-values.js';

type OutcomesFlags = ServerFlags & { readonly runIndex?: number; readonly kind?: readonly string[]; readonly limit?: number };

const SHOWN = 20;

export function addOutcomesCommand(parent: Command, context: CliContext): void {
  withServerFlags(parent.command('outcomes <job>').description('list the answers of a job: what each came to, and why'))
    .option('--run-index <n>', 'the run; default: 0, the first target', indexOption)
    .addOption(
      new Option(
        '--kind <kinds>',
        `only these, such as fail,invalid; may be repeated (${OutcomeKind.options.join(', ')}); default: all`,
      ).argParser(listOption),
    )
    .option('--limit <n>', `how many; default: ${SHOWN}, with --json all`, countOption)
    .addHelpText(
      'after',
      `${examples(
        'kiln eval outcomes 0198…',
        'kiln eval outcomes 0198… --kind fail,invalid,error --limit 50',
        'kiln eval outcomes 0198… --run-index 1 --kind fail --json | jq -r .completion_text',
      )}
With --json: one line of JSON for each answer. A job that runs lists what it has so far.\n`,
    )
    .action((id: string, flags: OutcomesFlags) => listOutcomes(context, id, flags));
}

async function listOutcomes(context: CliContext, jobId: string, flags: OutcomesFlags): Promise<void> {
  const json = flags.json === true;
  const { runIndex } = flags;
  const kinds = flags.kind?.flatMap((list) => list.split(',')).map(kindOf);
  const client = await context.client(flags);
  const found: RawOutcome[] = [];
  let isAll = true;
  for await (const page of readOutcomes(client, { jobId, runIndex, kinds, most: flags.limit ?? (json ? Infinity : SHOWN) })) {
    if (json) for (const outcome of page.outcomes) context.printJsonLine(outcome);
    else found.push(...page.outcomes);
    ({ isAll } = page);
  }
  if (json) return;
  if (found.length === 0) return context.print(kinds === undefined ? 'no answers yet' : `no answers of kind ${kinds.join(' or ')}`);
  context.print(...outcomeTable(found), ...(isAll ? [] : [`there are more: --limit ${found.length * 10}, or --json for all of them`]));
}

function kindOf(text: string): OutcomeKind {
  const kind = OutcomeKind.safeParse(text);
  if (kind.success) return kind.data;
  throw new KilnError('eval_invalid_request', `kind: there is no kind ${JSON.stringify(text)}`, {
    path: 'kind',
    hint: `Use ${OutcomeKind.options.join(', ')}; several with commas between them.`,
  });
}
