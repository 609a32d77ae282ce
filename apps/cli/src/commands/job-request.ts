import { type CompareRequest, KilnError, type RunRequest } from '@kiln/contracts';
import type { Command } from 'commander';
import { type z } from 'zod';
import { readObject } from '../client/read-object.js';
import { type GateFlags, gateOf } from './gate-flags.js';
import { countOption, labelOption, listOption, seedOption, usdOption } from './option-values.js';

/** Options that every command which starts a job has. */
export interface SpendFlags {
  readonly judge?: string;
  readonly label?: Readonly<Record<string, string>>;
  readonly costCap?: string;
  readonly tokenCap?: number;
  readonly concurrency?: number;
  readonly idempotencyKey?: string;
  readonly watch?: boolean;
}

/** Options that every command which generates has. */
export interface JobFlags extends SpendFlags {
  readonly model?: string;
  readonly seed?: string;
  /** False with --no-reuse. */
  readonly reuse?: boolean;
}

export interface CompareFlags extends JobFlags, GateFlags {
  readonly suite: string;
  readonly adapter: readonly string[];
  readonly baseline?: string;
}

export type RunBody = z.input<typeof RunRequest>;
export type CompareBody = z.input<typeof CompareRequest>;

/** Adds the options of {@link JobFlags}. */
export function withJobFlags(command: Command): Command {
  return withSpendFlags(
    command
      .option('--model <name>', 'the model; default: the server’s default model')
      .option('--seed <u64>', 'seed of the job; default: the suite’s, else random', seedOption)
      .option('--no-reuse', 'generate every sample, also those that another job has generated'),
  );
}

/** Adds the options of {@link SpendFlags}. */
export function withSpendFlags(command: Command): Command {
  return command
    .option('--judge <judge>', 'model that judges where scorers name none, or a target as JSON or a file')
    .option('--label <key=value>', 'attach a label; may be repeated', labelOption)
    .option('--cost-cap <usd>', 'start nothing that could exceed so many US dollars', usdOption)
    .option('--token-cap <n>', 'start nothing that could exceed so many tokens', countOption)
    .option('--concurrency <n>', 'shards worked on at a time, over the whole fleet', countOption)
    .option('--idempotency-key <key>', 'submit at most once: the same key and request get the first answer')
    .option('--watch', 'wait for the end, and report it');
}

/** Adds the options of {@link CompareFlags} that neither a run nor a gate has. */
export function withCompareFlags(command: Command): Command {
  return command
    .requiredOption('--suite <name>', 'a registered suite')
    .requiredOption('--adapter <name>', 'an adapter to compare, "" = the base model; repeat it', listOption)
    .option('--baseline <name>', 'the adapter to compare with; default: the first');
}

/** The fields that runs and compares share; only what was asked for. */
async function jobFields(flags: JobFlags) {
  return {
    ...(flags.model === undefined ? {} : { model: flags.model }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.reuse === false ? { reuse: 'never' as const } : {}),
    ...(await spendFields(flags)),
  };
}

/** The fields that all jobs share; only what was asked for. */
export async function spendFields(flags: SpendFlags) {
  return {
    ...(flags.judge === undefined ? {} : { judge: await judgeTarget(flags.judge) }),
    ...(flags.label === undefined ? {} : { labels: { ...flags.label } }),
    ...(flags.costCap === undefined ? {} : { cost_cap: flags.costCap }),
    ...(flags.tokenCap === undefined ? {} : { token_cap: flags.tokenCap }),
    ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
  };
}

/** A model’s name, which may be `<organisation>/<name>`; a target written out is the server's to check. */
async function judgeTarget(text: string): Promise<NonNullable<RunBody['judge']>> {
  if (!text.trimStart().startsWith('{') && !/\.(json|ya?ml)$/i.test(text)) return { kind: 'model', model: text, adapter: '' };
  return (await readObject(text, 'judge')) as NonNullable<RunBody['judge']>;
}

/** @param adapter  undefined = the active one, "" = the base model */
export async function runBody(
  target: Pick<RunBody, 'suite' | 'inline_suite'>,
  flags: JobFlags & { readonly adapter?: string },
): Promise<RunBody> {
  return { ...target, ...(flags.adapter === undefined ? {} : { adapter: flags.adapter }), ...(await jobFields(flags)) };
}

/** @throws KilnError `eval_invalid_request` when only one adapter is named: nothing would be compared, and no gate could decide */
export async function compareBody(flags: CompareFlags): Promise<CompareBody> {
  const [only] = flags.adapter;
  if (flags.adapter.length === 1 && (flags.baseline ?? only) === only) {
    throw new KilnError('eval_invalid_request', 'adapter: there is only one, and nothing to compare it with', {
      path: 'adapter',
      hint: 'Repeat --adapter, or name a --baseline; "" is the base model. kiln eval run evaluates one alone.',
    });
  }
  const gate = gateOf(flags);
  return {
    suite: flags.suite,
    adapters: [...flags.adapter],
    ...(flags.baseline === undefined ? {} : { baseline: flags.baseline }),
    ...(gate === null ? {} : { gate }),
    ...(await jobFields(flags)),
  };
}

/** Headers of a submission. */
export function submissionHeaders({ idempotencyKey }: SpendFlags): Record<string, string> {
  return idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
}
