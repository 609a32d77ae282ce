import { type GateRequest, KilnError, OBJECTIVE_GATES_DEFAULTS, type PolicyVersion } from '@kiln/contracts';
import { type Command, Option } from 'commander';
import { type z } from 'zod';
import { costRiseOption, fractionOption, numberOption, riseOption } from './option-values.js';

/** Options that choose a policy and set its thresholds. */
export interface GateFlags {
  readonly gate?: PolicyVersion;
  readonly minAccuracy?: number;
  readonly minRelativeRecovery?: number;
  readonly minAbsoluteGain?: number;
  readonly completenessFloor?: number;
  readonly winThreshold?: number;
  readonly gateRejectedRatePp?: number;
  readonly gateRoundsPct?: number;
  readonly gateCostPct?: number | 'off';
}

type GateBody = z.input<typeof GateRequest>;
type Threshold = Exclude<keyof GateFlags, 'gate'>;

const POLICIES = ['paired_wilson_v1', 'objective_gates_v1', 'hillclimb_v1'] as const satisfies PolicyVersion[];

/** Which policy reads which option, and the field that it becomes. */
const FIELDS = {
  paired_wilson_v1: {
    minAccuracy: 'min_accuracy',
    minRelativeRecovery: 'min_relative_recovery',
    minAbsoluteGain: 'min_absolute_gain',
  },
  objective_gates_v1: {
    completenessFloor: 'completeness_floor',
    winThreshold: 'win_threshold',
    gateRejectedRatePp: 'gate_rejected_rate_pp',
    gateRoundsPct: 'gate_rounds_pct',
    gateCostPct: 'gate_cost_pct',
  },
  hillclimb_v1: {},
} as const satisfies Record<PolicyVersion, Partial<Record<Threshold, string>>>;

/** Adds the options of {@link GateFlags}. */
export function withGateFlags(command: Command): Command {
  const defaults = OBJECTIVE_GATES_DEFAULTS;
  return command
    .addOption(new Option('--gate <policy>', 'decide by this policy; default: the one whose thresholds are given').choices(POLICIES))
    .option('--min-accuracy <rate>', 'paired_wilson_v1: floor for the candidate’s accuracy, 0 to 1', fractionOption)
    .option('--min-relative-recovery <ratio>', 'paired_wilson_v1: least candidate ÷ baseline, bound against bound', numberOption)
    .option('--min-absolute-gain <gain>', 'paired_wilson_v1: least candidate − baseline, bound against bound', numberOption)
    .option(
      '--completeness-floor <rate>',
      `objective_gates_v1: share of samples that must run (${defaults.completeness_floor})`,
      fractionOption,
    )
    .option('--win-threshold <rate>', `objective_gates_v1: share of judged pairs to win (${defaults.win_threshold})`, fractionOption)
    .option(
      '--gate-rejected-rate-pp <points>',
      `objective_gates_v1: largest rise of rejected tool calls (${defaults.gate_rejected_rate_pp})`,
      riseOption,
    )
    .option('--gate-rounds-pct <percent>', `objective_gates_v1: largest rise of mean rounds (${defaults.gate_rounds_pct})`, riseOption)
    .option(
      '--gate-cost-pct <percent>',
      `objective_gates_v1: largest rise of cost per example (${defaults.gate_cost_pct}), or off`,
      costRiseOption,
    );
}

/**
 * The gate that was asked for; null when no option asks for one.
 *
 * @throws KilnError when a threshold belongs to another policy.
 */
export function gateOf(flags: GateFlags): GateBody | null {
  const given = POLICIES.filter((policy) => Object.keys(FIELDS[policy]).some((name) => flags[name as Threshold] !== undefined));
  const policy = flags.gate ?? given[0];
  if (policy === undefined) return null;
  const foreign = given.find((other) => other !== policy);
  if (foreign !== undefined) {
    throw new KilnError('eval_invalid_request', `gate: a threshold of ${foreign} was given for ${policy}`, {
      path: 'gate',
      hint: 'A gate has one policy. Leave out what the other one reads, or name it with --gate.',
    });
  }
  const thresholds = Object.entries(FIELDS[policy]).flatMap(([name, field]) => {
    const value = flags[name as Threshold];
    return value === undefined ? [] : [[field, value === 'off' ? null : value]];
  });
  return { policy, ...(policy === 'paired_wilson_v1' ? { min_accuracy: 0 } : {}), ...Object.fromEntries(thresholds) } as GateBody;
}
