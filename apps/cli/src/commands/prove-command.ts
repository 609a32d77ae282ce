import { childScorers, KilnError, type Scorer, type ScorerProof } from '@kiln/contracts';
import { ExecutedProof, ScorerProver } from '@kiln/scoring';
import type { Command } from 'commander';
import type { CliContext } from '../cli-context.js';
import { allPages } from '../client/all-pages.js';
import { type ApiClient } from '../client/api-client.js';
import { fetchWhole, identityOf, PROOF_MS, readWhole, sampleOf } from '../client/whole-suite.js';
import { EXIT, exitCodeOfJob } from '../exit-code.js';
import { proofLines } from '../report/proof-lines.js';
import { counted } from '../terminal/numbers.js';
import { type ServerFlags, examples, withServerFlags } from './command-options.js';
import { watchJob } from './finish-job.js';
import { spendFields } from './job-request.js';
import { countOption, usdOption } from './option-values.js';

interface ProveFlags extends ServerFlags {
  readonly suite?: string;
  readonly file?: string;
  readonly executed?: boolean;
  readonly examples: number;
  readonly judge?: string;
  readonly costCap?: string;
  readonly tokenCap?: number;
}

interface Proved {
  readonly name: string;
  readonly scorer_waiver: string | null;
  readonly scorer_proof: ScorerProof;
}

export function addProveCommand(parent: Command, context: CliContext): void {
  withServerFlags(parent.command('prove-scorers').description('grade answers that are known to be right or wrong'))
    .option('--suite <name>', 'a registered suite')
    .option('--file <path>', 'a suite file, registered or not; needs no server unless --executed is given')
    .option('--executed', 'prove judges and scorers that run code, with an ordinary run; needs the scope eval:run')
    .option('--examples <n>', 'with --executed: most examples of one scorer', countOption, 10)
    .option('--judge <judge>', 'with --executed: model that judges where scorers name none, or a target as JSON or a file')
    .option('--cost-cap <usd>', 'with --executed: start no judging that could exceed so many US dollars', usdOption)
    .option('--token-cap <n>', 'with --executed: start no judging that could exceed so many tokens', countOption)
    .addHelpText(
      'after',
      `${examples(
        'kiln eval prove-scorers --suite math-smoke',
        'kiln eval prove-scorers --file my-suite.yaml --json',
        'kiln eval prove-scorers --suite essays --executed --judge qwen3 --examples 5',
      )}
The exit code is 1 when a wrong answer passed and the suite has no scorer_waiver.\n`,
    )
    .action((flags: ProveFlags) => prove(context, flags));
}

async function prove(context: CliContext, flags: ProveFlags): Promise<void> {
  const proved = flags.executed === true ? await proveExecuted(context, flags) : await proveInline(context, flags);
  const { name, scorer_proof: proof, scorer_waiver: waiver } = proved;
  if (flags.json === true) context.printJson(proved);
  else context.print(...proofLines({ name, proof, waiver }, context.style));
  if (context.exitCode === EXIT.ok && proof.false_accepts > 0 && waiver === null) context.exitCode = EXIT.error;
}

async function proveInline(context: CliContext, flags: ProveFlags): Promise<Proved> {
  const { suite, file } = requireOne(flags);
  if (suite !== undefined) return (await context.client(flags)).call('proveSuite', { params: { name: suite }, timeoutMs: PROOF_MS });
  const whole = await readWhole(file);
  const prover = new ScorerProver(sampleOf(whole), identityOf);
  while (prover.step());
  return { name: whole.name, scorer_waiver: whole.scorer_waiver ?? null, scorer_proof: prover.proof() };
}

async function proveExecuted(context: CliContext, flags: ProveFlags): Promise<Proved> {
  const client = await context.client(flags);
  const { suite, file } = requireOne(flags);
  const whole = suite === undefined ? await readWhole(file) : await fetchWhole(client, suite);
  const proof = new ExecutedProof(sampleOf(whole, flags.examples), identityOf);
  if (proof.answers > 0) await grade(context, client, proof, flags);
  return { name: whole.name, scorer_waiver: whole.scorer_waiver ?? null, scorer_proof: proof.proof() };
}

/** Runs the proof's suite with the echo, and counts what its scorers say. */
async function grade(context: CliContext, client: ApiClient, proof: ExecutedProof, flags: ProveFlags): Promise<void> {
  const suite = proof.suite('prove-scorers');
  if (flags.judge === undefined && suite.examples.some(({ scorer }) => needsJudge(scorer as Scorer))) {
    throw new KilnError('eval_invalid_request', 'judge: a scorer of this suite asks a judge and names no model', {
      path: 'judge',
      hint: 'name the model that judges: --judge',
    });
  }
  const { job_id: id } = await client.call('submitRun', {
    body: { inline_suite: suite, model: 'echo', adapter: '', ...(await spendFields(flags)) },
  });
  context.note(`job ${id}: ${counted(proof.answers, 'answer')}`);
  const job = await watchJob(context, client, id);
  context.exitCode = exitCodeOfJob(job);
  const outcomes = await allPages(async (cursor) => {
    const page = await client.call('listOutcomes', { params: { id }, query: { limit: 1000, cursor } });
    return { items: page.outcomes, next: page.next_cursor };
  });
  const unmeasured = outcomes.filter(({ example_id: example, kind }) => !proof.count(example, kind)).length;
  const missing = proof.answers - outcomes.length + unmeasured;
  if (missing === 0) return;
  const why = job.state === 'completed' ? '' : ` (the job was ${job.state})`;
  context.note(
    `${missing} of ${counted(proof.answers, 'answer')} could not be graded${why} and ${missing === 1 ? 'is' : 'are'} not counted; kiln eval show ${id} says why`,
  );
}

function requireOne({ suite, file }: ProveFlags): { suite: string; file?: never } | { suite?: never; file: string } {
  if (suite !== undefined && file === undefined) return { suite };
  if (file !== undefined && suite === undefined) return { file };
  throw new KilnError('eval_invalid_request', 'suite: give exactly one of --suite and --file', {
    path: 'suite',
    hint: '--suite names a registered suite (kiln eval list); --file reads one',
  });
}

function needsJudge(scorer: Scorer): boolean {
  return ('judge_model' in scorer && scorer.judge_model === null) || childScorers(scorer).some(needsJudge);
}
