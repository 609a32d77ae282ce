import { type GateRequest, type Verdict } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { type ComparedExample } from '../compared-example.js';
import { decideVerdict, type VerdictRequest } from '../decide-verdict.js';
import { accumulate, example, outcome, sample, side, times, tuned } from '../verdict-inputs.fixture.js';
import { compareLines } from './compare-lines.js';
import { pointsText, pText } from './figures.js';
import { verdictLine } from './verdict-line.js';

const OBJECTIVE = {
  policy: 'objective_gates_v1',
  completeness_floor: 0,
  win_threshold: 0,
  gate_rejected_rate_pp: 0,
  gate_rounds_pct: 0,
  gate_cost_pct: 0,
} as const satisfies GateRequest;

function decide(examples: readonly ComparedExample[], requirements: GateRequest, changes: Partial<VerdictRequest> = {}): Verdict {
  const numbered = examples.map((each, ordinal) => ({ ...each, ordinal, example_id: `e${ordinal}` }));
  const samples = examples.flatMap((each) => [...each.baseline_samples, ...each.candidate_samples]);
  const errors = samples.filter(({ kind }) => kind === 'error').length;
  return decideVerdict(
    {
      eval_job_id: 'job-1',
      job_state: 'completed',
      baseline: side,
      candidate: tuned,
      requirements,
      job: { expected_samples: samples.length, ok_samples: samples.length - errors, error_samples: errors },
      votes: new Map(),
      ...changes,
    },
    accumulate(numbered, requirements.policy),
  );
}

const ran = (count: number, rounds: readonly [number, number], category = 'chat'): ComparedExample[] =>
  times(count, () =>
    example(0, {
      category,
      baseline: outcome('pass'),
      candidate: outcome('pass'),
      baseline_samples: [sample('pass', { rounds: rounds[0] })],
      candidate_samples: [sample('pass', { rounds: rounds[1] })],
    }),
  );
const changed = (count: number, before: 'pass' | 'fail' | 'error', after: 'pass' | 'fail' | 'error', split = 'test'): ComparedExample[] =>
  times(count, () => example(0, { split, baseline: outcome(before), candidate: outcome(after) }));

describe('verdictLine', () => {
  it('prints the seeds’ downgrade', () => {
    expect(verdictLine(decide(ran(10, [20, 27]), OBJECTIVE))).toBe('downgrade: mean rounds regressed +35.0% against a +20.0% threshold');
  });

  it('prints the seeds’ upgrade with its divergence', () => {
    const votes = new Map([
      ['chat', { wins: 25, losses: 5, ties: 2 }],
      ['tool_heavy', { wins: 3, losses: 10, ties: 0 }],
    ]);
    expect(verdictLine(decide([...ran(32, [1, 1]), ...ran(13, [1, 1], 'tool_heavy')], OBJECTIVE, { votes }))).toBe(
      'upgrade: judge win-rate 62% over 45 judged pair(s) meets the 55% threshold, and no objective gate regressed\n' +
        '  ↳ wins overall; regresses on tool_heavy',
    );
  });

  it.each<[string, Verdict]>([
    ['no_regressions: no objective gate regressed, and no pair is judged yet', decide(ran(10, [1, 1]), OBJECTIVE)],
    ['error: the job is failed; only a job that ended can be decided', decide(ran(10, [1, 1]), OBJECTIVE, { job_state: 'failed' })],
    [
      'keep: test improved +30.0 pts (p=0.031); without a train split it alone decides',
      decide([...changed(6, 'fail', 'pass'), ...changed(14, 'pass', 'pass')], { policy: 'hillclimb_v1' }),
    ],
    [
      'keep: overall improved +100.0 pts (p<0.001), and both splits moved up (train +100.0 pts, test +100.0 pts)',
      decide([...changed(6, 'fail', 'pass'), ...changed(6, 'fail', 'pass', 'train')], { policy: 'hillclimb_v1' }),
    ],
    [
      'revert: overfitting: overall improved, but test did not (train +100.0 pts, test +0.0 pts)',
      decide([...changed(9, 'fail', 'pass', 'train'), ...changed(1, 'pass', 'pass')], { policy: 'hillclimb_v1' }),
    ],
    ['revert: test regressed -100.0 pts (p=0.031)', decide(changed(6, 'pass', 'fail'), { policy: 'hillclimb_v1' })],
    [
      'not comparable: the job is capped; only a completed one can be compared',
      decide(changed(6, 'fail', 'pass'), { policy: 'hillclimb_v1' }, { job_state: 'capped' }),
    ],
    [
      'kept: Significantly better than the baseline: 20 improved, 0 regressed.',
      decide(changed(20, 'fail', 'pass'), { policy: 'paired_wilson_v1', min_accuracy: 0 }),
    ],
    [
      'inconclusive: 3 errors could change this; as measured it is kept.',
      decide([...changed(14, 'pass', 'pass'), ...changed(3, 'fail', 'pass'), ...changed(3, 'error', 'pass')], {
        policy: 'paired_wilson_v1',
        min_accuracy: 0.65,
      }),
    ],
    [
      'inconclusive: The lower bound of the candidate’s accuracy does not reach the minimum accuracy. 3 errors could change this.',
      decide([...changed(14, 'pass', 'pass'), ...changed(6, 'fail', 'pass'), ...changed(3, 'fail', 'error')], {
        policy: 'paired_wilson_v1',
        min_accuracy: 0.7,
      }),
    ],
    [
      'inconclusive: 1 error could change this; as measured it is downgrade',
      decide(
        [
          ...ran(9, [20, 24]),
          ...ran(1, [20, 25]),
          ...times(1, () => example(0, { baseline_samples: [sample('pass', { rounds: 20 })], candidate_samples: [sample('error')] })),
        ],
        { ...OBJECTIVE, gate_rounds_pct: 20.4 },
      ),
    ],
    [
      'revert: 1 sample errored (0 before, 1 after), which is no measurement; 1 error could change this',
      decide([...changed(20, 'fail', 'pass'), ...changed(1, 'pass', 'error')], { policy: 'hillclimb_v1' }),
    ],
  ])('%s', (line, verdict) => {
    expect(verdictLine(verdict)).toBe(line);
  });
});

describe('compareLines', () => {
  const lines = (examples: readonly ComparedExample[], changes: Partial<VerdictRequest> = {}): string[] => {
    const { evidence } = decide(examples, { policy: 'hillclimb_v1' }, changes);
    if (evidence?.policy_version !== 'hillclimb_v1') throw new Error('decided by another policy');
    return compareLines(evidence);
  };

  it('prints the seeds’ comparison', () => {
    const [overall] = lines([...changed(12, 'pass', 'pass'), ...changed(6, 'fail', 'pass'), ...changed(2, 'fail', 'fail')]);
    expect(overall).toBe('overall  60.0% [38.7%, 78.1%] → 90.0% [69.9%, 97.2%]  +30.0 pts  improved  (6/20 cases changed, p=0.031)');
  });

  it('prints every split that has examples, what was used, and what to mind', () => {
    expect(
      lines([...changed(3, 'fail', 'pass', 'train'), ...changed(3, 'pass', 'pass')], { candidate: { ...tuned, provider: 'https://x' } }),
    ).toEqual([
      'overall  50.0% [18.8%, 81.2%] → 100.0% [61.0%, 100.0%]  +50.0 pts  within-noise  (3/6 cases changed, p=0.250)',
      'train    0.0% [0.0%, 56.1%] → 100.0% [43.9%, 100.0%]  +100.0 pts  within-noise  (3/3 cases changed, p=0.250)',
      'test     100.0% [43.9%, 100.0%] → 100.0% [43.9%, 100.0%]  +0.0 pts  within-noise  (0/3 cases changed, p=1.000)',
      'cost     $0 → $0  duration 100 ms → 100 ms  tokens 60 → 60',
      'HEADROOM: the test split passes above 95%: it cannot show an improvement; add harder examples',
      'NOISE: the interval of overall, train, test is wider than 20 points: add examples or completions',
      'PROVIDER: the sides ran on different providers: onnx and https://x',
      'FEW_CHANGED: only 3 examples changed: at least 6 must before a difference can be called',
    ]);
    expect(lines([])[0]).toBe('overall  n/a  (no cases)');
  });
});

describe('figures', () => {
  it('keep a p on its side of alpha', () => {
    expect([0.03125, 0.0496, 0.05, 0.0504, 0.25, 1, 0.00099].map((p) => pText(p, 0.05))).toEqual([
      'p=0.031',
      'p=0.0496',
      'p=0.050',
      'p=0.0504',
      'p=0.250',
      'p=1.000',
      'p<0.001',
    ]);
  });

  it('never show a nothing that is negative', () => {
    expect([0.3, -0.3, 0, -0.0001].map((delta) => pointsText(delta))).toEqual(['+30.0 pts', '-30.0 pts', '+0.0 pts', '+0.0 pts']);
  });
});
