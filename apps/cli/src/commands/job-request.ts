import type { CompareRequest, RunRequest } from '@kiln/contracts';
import type { Command } from 'commander';
import { type z } from 'zod';
import { countOption, fractionOption, labelOption, listOption, numberOption, seedOption, usdOption } from './option-values.js';

/** Options that every command which starts a job has. */
export interface JobFlags {
  readonly model?: string;
  readonly seed?: string;
  readonly label?: Readonly<Record<string, string>>;
  readonly costCap?: string;
  readonly tokenCap?: number;
  readonly concurrency?: number;
  readonly idempotencyKey?: string;
  readonly watch?: boolean;
}

export interface CompareFlags extends JobFlags {
  readonly suite: string;
  readonly adapter: readonly string[];
  readonly baseline?: string;
  readonly minAccuracy?: number;
  readonly minRelativeRecovery?: number;
  readonly minAbsoluteGain?: number;
}

export type RunBody = z.input<typeof RunRequest>;
export type CompareBody = z.input<typeof CompareRequest>;

/** Adds the options of {@link JobFlags}. */
export function withJobFlags(command: Command): Command {
  return command
    .option('--model <name>', 'the model; default: the server’s default model')
    .option('--seed <u64>', 'seed of the job; default: the suite’s, else random', seedOption)
    .option('--label <key=value>', 'attach a label; may be repeated', labelOption)
    .option('--cost-cap <usd>', 'start no sample that could exceed so many US dollars', usdOption)
    .option('--token-cap <n>', 'start no sample that could exceed so many tokens', countOption)
    .option('--concurrency <n>', 'shards worked on at a time, over the whole fleet', countOption)
    .option('--idempotency-key <key>', 'submit at most once: the same key and request get the first answer')
    .option('--watch', 'wait for the end, and report it');
}

/** Adds the options of {@link CompareFlags} that a run does not have. */
export function withGateFlags(command: Command): Command {
  return command
    .requiredOption('--suite <name>', 'a registered suite')
    .requiredOption('--adapter <name>', 'an adapter to compare, "" = the base model; repeat it', listOption)
    .option('--baseline <name>', 'the adapter to compare with; default: the first')
    .option('--min-accuracy <rate>', 'gate: floor for the candidate’s accuracy, 0 to 1', fractionOption)
    .option('--min-relative-recovery <ratio>', 'gate: least candidate ÷ baseline, bound against bound', numberOption)
    .option('--min-absolute-gain <gain>', 'gate: least candidate − baseline, bound against bound', numberOption);
}

/** The fields that runs and compares share; only what was asked for. */
function jobFields(flags: JobFlags) {
  return {
    ...(flags.model === undefined ? {} : { model: flags.model }),
    ...(flags.seed === undefined ? {} : { seed: flags.seed }),
    ...(flags.label === undefined ? {} : { labels: { ...flags.label } }),
    ...(flags.costCap === undefined ? {} : { cost_cap: flags.costCap }),
    ...(flags.tokenCap === undefined ? {} : { token_cap: flags.tokenCap }),
    ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
  };
}

/** @param adapter  undefined = the active one, "" = the base model */
export function runBody(target: Pick<RunBody, 'suite' | 'inline_suite'>, flags: JobFlags & { readonly adapter?: string }): RunBody {
  return { ...target, ...(flags.adapter === undefined ? {} : { adapter: flags.adapter }), ...jobFields(flags) };
}

export function compareBody(flags: CompareFlags): CompareBody {
  const requirements = {
    ...(flags.minRelativeRecovery === undefined ? {} : { min_relative_recovery: flags.minRelativeRecovery }),
    ...(flags.minAbsoluteGain === undefined ? {} : { min_absolute_gain: flags.minAbsoluteGain }),
  };
  const gated = flags.minAccuracy !== undefined || Object.keys(requirements).length > 0;
  return {
    suite: flags.suite,
    adapters: [...flags.adapter],
    ...(flags.baseline === undefined ? {} : { baseline: flags.baseline }),
    ...(gated ? { gate: { policy: 'paired_wilson_v1', min_accuracy: flags.minAccuracy ?? 0, ...requirements } } : {}),
    ...jobFields(flags),
  };
}

/** Headers of a submission. */
export function submissionHeaders({ idempotencyKey }: JobFlags): Record<string, string> {
  return idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
}
