import { type Command, Option } from 'commander';
import type { RawOutcome } from '@kiln/contracts';
import type { CliContext } from '../cli-context.js';
import { EXIT, exitCodeOfJob } from '../exit-code.js';
import { dollars, duration } from '../terminal/numbers.js';
import { safeText } from '../terminal/safe-text.js';
import { type ServerFlags, examples, withServerFlags } from './command-options.js';
import { watchJob } from './finish-job.js';
import { type JobFlags, type RunBody, runBody } from './job-request.js';
import { countOption, seedOption } from './option-values.js';

export const PROBE_SCORERS = ['exact_match', 'contains', 'numeric', 'numeric_tolerance', 'regex'] as const;

export interface ProbeFlags {
  readonly prompt: string;
  readonly target: string;
  readonly scorer: (typeof PROBE_SCORERS)[number];
  readonly system?: string;
  readonly maxTokens?: number;
}

type Flags = ServerFlags & Pick<JobFlags, 'model' | 'seed'> & ProbeFlags & { readonly adapter?: string };

export function addProbeCommand(parent: Command, context: CliContext): void {
  withServerFlags(parent.command('probe').description('ask one question, and score the answer'))
    .requiredOption('--prompt <text>', 'the user message')
    .requiredOption('--target <text>', 'what is wanted; a pattern for regex')
    .addOption(new Option('--scorer <kind>', 'how the answer is scored').choices(PROBE_SCORERS).default('exact_match'))
    .option('--adapter <name>', 'the adapter; default, and "": the base model')
    .option('--model <name>', 'the model; default: the server’s default model')
    .option('--system <text>', 'a system message')
    .option('--max-tokens <n>', 'longest answer in tokens', countOption)
    .option('--seed <u64>', 'seed; default: random', seedOption)
    .addHelpText(
      'after',
      examples(
        'kiln eval probe --prompt "47 + 138?" --target 185 --scorer numeric',
        'kiln eval probe --prompt "Hello" --target "[Hh]i|[Hh]ello" --scorer regex --adapter ""',
      ),
    )
    .action((flags: Flags) => probe(context, flags));
}

async function probe(context: CliContext, flags: Flags): Promise<void> {
  const client = await context.client(flags);
  const body = await runBody({ inline_suite: probeSuite(flags) }, flags);
  const { job_id: id } = await client.call('submitRun', { body });
  const job = await watchJob(context, client, id);
  const { outcomes } = await client.call('listOutcomes', { params: { id } });
  const [outcome] = outcomes;
  if (flags.json === true) context.printJson({ job, outcome: outcome ?? null });
  else if (outcome !== undefined) context.print(...outcomeLines(outcome));
  context.exitCode = exitCodeOfJob(job);
  // An answer that did not pass is no error: scripts read the outcome. One that could not be measured is.
  if (context.exitCode === EXIT.ok && (outcome === undefined || outcome.kind === 'error')) context.exitCode = EXIT.error;
}

/** A suite of one example. */
export function probeSuite(flags: ProbeFlags): NonNullable<RunBody['inline_suite']> {
  return {
    name: 'probe',
    schema_version: 2,
    default_scorer: probeScorer(flags.scorer, flags.target),
    ...(flags.maxTokens === undefined ? {} : { generation: { max_tokens: flags.maxTokens } }),
    examples: [
      {
        id: 'probe',
        messages: [
          ...(flags.system === undefined ? [] : [{ role: 'system' as const, content: flags.system }]),
          { role: 'user' as const, content: flags.prompt },
        ],
        // A pattern decides by itself; compared with a target too, it would have to capture its own text.
        ...(flags.scorer === 'regex' || flags.scorer === 'contains' ? {} : { target: flags.target }),
      },
    ],
  };
}

function probeScorer(kind: ProbeFlags['scorer'], target: string): NonNullable<RunBody['inline_suite']>['default_scorer'] {
  switch (kind) {
    case 'exact_match':
      return { kind: 'exact_match' };
    case 'contains':
      return { kind: 'contains', phrases: [target] };
    case 'numeric':
    case 'numeric_tolerance':
      return { kind: 'numeric_tolerance', atol: 0, rtol: 0 };
    case 'regex':
      return { kind: 'regex', pattern: target };
  }
}

function outcomeLines(outcome: RawOutcome): string[] {
  const lines = [
    `${outcome.kind} (score ${outcome.score})`,
    `answer  ${safeText(outcome.completion_text, true)}`,
    `tokens  ${outcome.prompt_tokens} in, ${outcome.completion_tokens} out · ${duration(outcome.latency_ms)} · ${dollars(outcome.cost_usd)} · seed ${outcome.generation_seed}`,
  ];
  if (outcome.kind !== 'pass' && outcome.detail !== null) lines.push(`detail  ${safeText(JSON.stringify(outcome.detail))}`);
  return lines;
}
