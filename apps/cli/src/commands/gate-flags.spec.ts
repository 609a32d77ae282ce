import { GateRequest, parseWith } from '@kiln/contracts';
import { Command, CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { type GateFlags, gateOf, withGateFlags } from './gate-flags.js';

/** The flags of a command line, read as the program reads them. */
function flagsOf(...argv: string[]): GateFlags {
  const command = withGateFlags(new Command('compare'))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  return command.parse(argv, { from: 'user' }).opts();
}

describe('gateOf', () => {
  it.each<[string, string[], object | null]>([
    ['nothing', [], null],
    ['a floor', ['--min-accuracy', '0.8'], { policy: 'paired_wilson_v1', min_accuracy: 0.8 }],
    [
      'a requirement without a floor',
      ['--min-absolute-gain', '0.1'],
      { policy: 'paired_wilson_v1', min_accuracy: 0, min_absolute_gain: 0.1 },
    ],
    ['a policy alone', ['--gate', 'objective_gates_v1'], { policy: 'objective_gates_v1' }],
    ['a threshold names its policy', ['--gate-rounds-pct', '10'], { policy: 'objective_gates_v1', gate_rounds_pct: 10 }],
    [
      'every threshold',
      [
        '--completeness-floor',
        '0.9',
        '--win-threshold',
        '0.6',
        '--gate-rejected-rate-pp',
        '1',
        '--gate-rounds-pct',
        '10',
        '--gate-cost-pct',
        'off',
      ],
      {
        policy: 'objective_gates_v1',
        completeness_floor: 0.9,
        win_threshold: 0.6,
        gate_rejected_rate_pp: 1,
        gate_rounds_pct: 10,
        gate_cost_pct: null,
      },
    ],
    ['a hillclimb', ['--gate', 'hillclimb_v1'], { policy: 'hillclimb_v1' }],
    ['the first policy without a floor', ['--gate', 'paired_wilson_v1'], { policy: 'paired_wilson_v1', min_accuracy: 0 }],
  ])('of %s', (_name, argv, gate) => {
    expect(gateOf(flagsOf(...argv))).toEqual(gate);
    if (gate !== null) expect(() => parseWith(GateRequest, gate, 'gate')).not.toThrow();
  });

  it.each([
    [['--gate', 'hillclimb_v1', '--min-accuracy', '0.5']],
    [['--min-accuracy', '0.5', '--win-threshold', '0.6']],
    [['--gate', 'paired_wilson_v1', '--gate-cost-pct', '5']],
  ])('refuses a threshold of another policy: %j', (argv) => {
    expect(() => gateOf(flagsOf(...argv))).toThrow(/^gate: a threshold of \w+ was given for \w+$/);
  });

  it.each([[['--gate', 'wilson']], [['--gate-rounds-pct', '0']], [['--gate-cost-pct', 'none']], [['--completeness-floor', '1.1']]])(
    'refuses %j',
    (argv) => {
      expect(() => flagsOf(...argv)).toThrow(CommanderError);
    },
  );
});
