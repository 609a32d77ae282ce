import { KilnError, type SuiteSummary } from '@kiln/contracts';
import type { Command } from 'commander';
import type { CliContext } from '../cli-context.js';
import type { ApiClient } from '../client/api-client.js';
import { openSuiteFile } from '../client/read-suite-file.js';
import { tagList } from '../report/job-lines.js';
import { wrongLines } from '../report/proof-lines.js';
import { count, counted } from '../terminal/numbers.js';
import { safeText } from '../terminal/safe-text.js';
import { table } from '../terminal/table.js';
import { type ServerFlags, examples, withServerFlags } from './command-options.js';
import { allPages } from '../client/all-pages.js';

/** An upload of any size may take this long. */
const UPLOAD_MS = 60 * 60_000;

const COLUMNS = [
  { title: 'suite' },
  { title: 'examples', align: 'right' },
  { title: 'n', align: 'right' },
  { title: 'scorer' },
  { title: 'version', align: 'right' },
  { title: 'tags' },
] as const;

export function addSuiteCommands(parent: Command, context: CliContext): void {
  withServerFlags(parent.command('list').description('list the registered suites'))
    .addHelpText('after', examples('kiln eval list', 'kiln eval list --json | jq -r ".suites[].name"'))
    .action((flags: ServerFlags) => listSuites(context, flags));
  withServerFlags(parent.command('register').description('register a suite from a file'))
    .requiredOption('--file <path>', 'JSON, YAML or JSONL; or a folder with suite.json and examples.jsonl')
    .option('--force', 'make a new version of a suite that exists')
    .addHelpText('after', examples('kiln eval register --file suites/math-smoke.json', 'kiln eval register --file big-suite.jsonl --force'))
    .action((flags: ServerFlags & { file: string; force?: boolean }) => registerSuite(context, flags));
}

async function listSuites(context: CliContext, flags: ServerFlags): Promise<void> {
  const client = await context.client(flags);
  const suites = await allSuites(client);
  if (flags.json === true) return context.printJson({ suites });
  if (suites.length === 0) return context.print('no suites yet; register one: kiln eval register --file suites/math-smoke.json');
  const rows = suites.map((suite) => [
    safeText(suite.name),
    count(suite.num_examples),
    String(suite.completions_per_example),
    suite.default_scorer_kind,
    String(suite.version),
    tagList(suite),
  ]);
  context.print(...table(COLUMNS, rows));
}

function allSuites(client: ApiClient): Promise<SuiteSummary[]> {
  return allPages(async (cursor) => {
    const page = await client.call('listSuites', { query: { limit: 1000, cursor } });
    return { items: page.suites, next: page.next_cursor };
  });
}

/** What the names stand for now: the answer of a registration does not tell a new version from the same one. */
async function knownHashes(client: ApiClient): Promise<Map<string, string>> {
  try {
    return new Map((await allSuites(client)).map(({ name, hash }) => [name, hash]));
  } catch (error) {
    // A key may register suites and not list them.
    if (error instanceof KilnError && error.status === 403) return new Map();
    throw error;
  }
}

async function registerSuite(context: CliContext, flags: ServerFlags & { file: string; force?: boolean }): Promise<void> {
  const client = await context.client(flags);
  const hashes = flags.force === true && flags.json !== true ? await knownHashes(client) : null;
  const stream = await openSuiteFile(flags.file);
  const answer = await client.call('registerSuite', { query: { force: flags.force === true }, stream, timeoutMs: UPLOAD_MS });
  if (flags.json === true) return context.printJson(answer);
  const { suite, scorer_proof: proof } = answer;
  const done = hashes?.get(suite.name) === suite.hash ? 'unchanged' : answer.status;
  context.print(`${done} ${safeText(suite.name)}: version ${suite.version}, ${counted(suite.num_examples, 'example')}, ${suite.hash}`);
  const wrong = wrongLines({ name: suite.name, proof, waiver: suite.scorer_waiver }, context.style);
  if (wrong.length > 0) context.print(...wrong);
}
