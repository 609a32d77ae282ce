import { type GateRequestOf, OBJECTIVE_GATES_DEFAULTS, ObjectiveGatesEvidence, type ToolCallCounts } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { type ComparedExample, type SampleFacts } from '../../compared-example.js';
import { accumulate, example, sample, side, times, tuned } from '../../verdict-inputs.fixture.js';
import { type PairVotes } from './judged-pairs.js';
import { type ObjectiveGatesDecision, type ObjectiveGatesInput, objectiveGatesV1 } from './objective-gates-v1.js';

const CALLS: ToolCallCounts = { ok: 0, rejected: 0, failed: 0, denied: 0, cached: 0, suppressed: 0 };
const calls = (counts: Partial<ToolCallCounts>): Partial<SampleFacts> => ({ tool_calls: { ...CALLS, ...counts } });
const DEFAULTS: GateRequestOf<'objective_gates_v1'> = { policy: 'objective_gates_v1', ...OBJECTIVE_GATES_DEFAULTS };

/** Examples of one sample a side. */
function pairs(
  count: number,
  before: Partial<SampleFacts>,
  after: Partial<SampleFacts>,
  category: string | null = null,
): ComparedExample[] {
  return times(count, () =>
    example(0, { category, baseline_samples: [sample('pass', before)], candidate_samples: [sample('pass', after)] }),
  );
}

interface Case {
  readonly examples: readonly ComparedExample[];
  readonly votes?: Readonly<Record<string, PairVotes>>;
  readonly requirements?: Partial<GateRequestOf<'objective_gates_v1'>>;
  readonly job?: Partial<ObjectiveGatesInput['job']>;
  readonly job_state?: ObjectiveGatesInput['job_state'];
}

function inputOf({ examples, votes = {}, requirements, job, job_state = 'completed' }: Case): ObjectiveGatesInput {
  const numbered = examples.map((each, ordinal) => ({ ...each, ordinal, example_id: `e${ordinal}` }));
  const totals = accumulate(numbered, 'objective_gates_v1').objective;
  if (totals === null) throw new Error('accumulated for another policy');
  const ok = totals.baseline.ok_samples + totals.candidate.ok_samples;
  const errors = totals.baseline.error_samples + totals.candidate.error_samples;
  return {
    eval_job_id: 'job-1',
    job_state,
    baseline: side,
    candidate: tuned,
    totals,
    job: { expected_samples: ok + errors, ok_samples: ok, error_samples: errors, ...job },
    votes: new Map(Object.entries(votes)),
    requirements: { ...DEFAULTS, ...requirements },
  };
}

function decide(given: Case): ObjectiveGatesDecision & { readonly evidence: ObjectiveGatesEvidence } {
  const decision = objectiveGatesV1(inputOf(given));
  if (decision.evidence === null) throw new Error(decision.reason);
  return { ...decision, evidence: ObjectiveGatesEvidence.parse(decision.evidence) };
}

const EVEN = pairs(10, {}, {});
const WON: PairVotes = { wins: 28, losses: 10, ties: 7 };

describe('objectiveGatesV1 decides', () => {
  it.each<[string, Case, string, string]>([
    [
      '1: thin data beats a failed gate and a won vote',
      { examples: pairs(10, { rounds: 1 }, { rounds: 9 }), votes: { chat: WON }, job: { expected_samples: 26 } },
      'inconclusive',
      'completeness 77% (20 of 26 samples) is below the 80% floor',
    ],
    [
      '1: completeness exactly at the floor is conclusive',
      { examples: EVEN, job: { expected_samples: 25 } },
      'no_regressions',
      'no objective gate regressed',
    ],
    ['1: nothing expected', { examples: [] }, 'inconclusive', 'no sample was to be run'],
    [
      '2: rejected calls alone',
      { examples: pairs(10, calls({ ok: 10 }), calls({ ok: 9, rejected: 1 })) },
      'downgrade',
      'rejected tool-call rate regressed +10.0pp against a +2.0pp threshold',
    ],
    [
      '2: rounds alone',
      { examples: pairs(10, { rounds: 20 }, { rounds: 27 }) },
      'downgrade',
      'mean rounds regressed +35.0% against a +20.0% threshold',
    ],
    [
      '2: cost alone',
      { examples: pairs(10, { cost: 100n }, { cost: 130n }) },
      'downgrade',
      'mean cost per task regressed +30.0% against a +25.0% threshold',
    ],
    [
      '2: the first failed gate is named',
      { examples: pairs(10, { cost: 1n, rounds: 1 }, { cost: 9n, rounds: 9 }) },
      'downgrade',
      'mean rounds regressed +800.0%',
    ],
    [
      '2: no vote overrides a gate',
      { examples: pairs(10, { rounds: 20 }, { rounds: 27 }), votes: { chat: { wins: 45, losses: 0, ties: 0 } } },
      'downgrade',
      'mean rounds',
    ],
    ['3: nothing judged', { examples: EVEN }, 'no_regressions', 'no pair is judged yet'],
    [
      '4: exactly at the win threshold',
      { examples: EVEN, votes: { chat: { wins: 11, losses: 9, ties: 0 } } },
      'upgrade',
      'judge win-rate 55% over 20 judged pair(s) meets the 55% threshold, and no objective gate regressed',
    ],
    [
      '4: ties stay in the denominator',
      { examples: EVEN, votes: { chat: { wins: 11, losses: 8, ties: 2 } } },
      'downgrade',
      'judge win-rate 52% over 21 judged pair(s) is below the 55% threshold',
    ],
    [
      '5: a rate that rounds to the threshold is told apart',
      { examples: EVEN, votes: { chat: { wins: 546, losses: 454, ties: 0 } } },
      'downgrade',
      'judge win-rate 54.6% over 1000 judged pair(s) is below the 55.0% threshold',
    ],
    [
      'exactly at a gate passes',
      { examples: pairs(10, { rounds: 30, cost: 100n }, { rounds: 36, cost: 125n }) },
      'no_regressions',
      'no objective gate',
    ],
    [
      'a percent gate over nothing passes',
      { examples: pairs(10, { cost: 0n, rounds: 0 }, { cost: 5n, rounds: 5 }) },
      'no_regressions',
      'no objective gate',
    ],
    ['an unknown cost blocks', { examples: pairs(10, { cost: 5n }, { cost: null }) }, 'inconclusive', 'mean cost per task is unknown'],
    ['… but hides no failed gate', { examples: pairs(10, { cost: 5n, rounds: 1 }, { cost: null, rounds: 2 }) }, 'downgrade', 'mean rounds'],
    [
      '… and is lifted by null',
      { examples: pairs(10, { cost: 5n }, { cost: null }), requirements: { gate_cost_pct: null } },
      'no_regressions',
      'no objective gate',
    ],
    [
      'a capped job, by its completeness',
      { examples: EVEN, job_state: 'capped', job: { expected_samples: 21 } },
      'no_regressions',
      'no objective gate',
    ],
    [
      'a cancelled job, by its completeness',
      { examples: EVEN, job_state: 'cancelled', job: { expected_samples: 200 } },
      'inconclusive',
      'completeness 10%',
    ],
  ])('%s', (_name, given, decision, reason) => {
    const decided = decide(given);
    expect([decided.evidence.decision, decided.reason]).toEqual([decision, expect.stringContaining(reason)]);
  });

  it('reads its words as outcomes: gates reject, and only judges promote', () => {
    expect(decide({ examples: EVEN, votes: { chat: WON } }).outcome).toBe('kept');
    expect(decide({ examples: EVEN, votes: { chat: { ...WON, losses: 99 } } }).outcome).toBe('regression');
    expect(decide({ examples: EVEN }).outcome).toBe('inconclusive');
    expect(decide({ examples: EVEN, job: { expected_samples: 99 } }).outcome).toBe('inconclusive');
  });

  it('takes the default for a threshold of 0, so that options of zeros do not fail every gate', () => {
    const zeros = { completeness_floor: 0, win_threshold: 0, gate_rejected_rate_pp: 0, gate_rounds_pct: 0, gate_cost_pct: 0 };
    const slightlyWorse = pairs(
      10,
      { rounds: 20, cost: 100n, ...calls({ ok: 100 }) },
      { rounds: 21, cost: 101n, ...calls({ ok: 99, rejected: 1 }) },
    );
    const { evidence } = decide({ examples: slightlyWorse, requirements: zeros });
    expect(evidence.decision).toBe('no_regressions');
    expect(evidence.gates.map(({ threshold }) => threshold)).toEqual([2, 20, 25]);
    expect(evidence).toMatchObject({ completeness_floor: 0.8, win_threshold: 0.55 });
  });

  it.each([
    ['a failed job', { job_state: 'failed' }, 'the job is failed'],
    ['no baseline', { baseline: null }, 'there is no baseline run'],
    ['no candidate', { candidate: null }, 'there is no candidate run'],
    ['another version of the suite', { candidate: { ...tuned, suite_hash: 'other' } }, 'different versions of the suite'],
  ] as const)('refuses %s', (_name, changes, reason) => {
    const decision = objectiveGatesV1({ ...inputOf({ examples: EVEN }), ...changes });
    expect(decision).toMatchObject({ outcome: 'error', evidence: null });
    expect(decision.reason).toContain(reason);
  });
});

describe('objectiveGatesV1 measures', () => {
  it('rates over calls that ran: cached and suppressed ones are in no denominator', () => {
    const after = calls({ ok: 1, rejected: 1, failed: 1, denied: 1, cached: 50, suppressed: 50 });
    const { evidence } = decide({ examples: pairs(4, {}, after) });
    expect(evidence.candidate.rejected_rate).toBe(0.25);
    expect(evidence.baseline.rejected_rate).toBe(0);
    expect(evidence.gates[0]).toEqual({
      gate: 'rejected_rate',
      baseline: 0,
      candidate: 0.25,
      delta: 25,
      threshold: 2,
      unit: 'pp',
      passed: false,
    });
  });

  it('means over ok samples, cost over distinct examples, so that it grows with k', () => {
    const both = [
      sample('fail', { rounds: 2, cost: 10n, latency_ms: 50 }),
      sample('invalid', { completion_index: 1, rounds: 4, cost: 20n, latency_ms: 70 }),
    ];
    const one = [sample('pass', { rounds: 9, cost: 30n, latency_ms: 90 }), sample('error', { completion_index: 1 })];
    const none = [sample('error'), sample('error', { completion_index: 1 })];
    const { evidence } = decide({
      examples: [both, one, none].map((samples) => example(0, { baseline_samples: samples, candidate_samples: samples })),
      requirements: { completeness_floor: 0.1 },
    });
    expect(evidence.candidate).toMatchObject({ ok_samples: 3, error_samples: 3, tasks: 2, mean_rounds: 5, mean_latency_ms: 70 });
    expect(evidence.candidate.mean_cost_per_task_usd).toBeCloseTo(30e-9, 20);
    expect(evidence.completeness).toMatchObject({ pairs: 3, ok_samples: 6, expected_samples: 12, ratio: 0.5, conclusive: true });
  });

  it('counts samples that were wound up', () => {
    const wound = ['repeated_calls', 'max_rounds', 'stop', null].map((stop_reason) => pairs(1, {}, { stop_reason })).flat();
    const { evidence } = decide({ examples: wound });
    expect([evidence.baseline.wrapup_count, evidence.candidate.wrapup_count]).toEqual([0, 2]);
  });

  it('rows of categories in the contract’s order, others by name, only those with pairs', () => {
    const lost = example(0, { category: 'scheduled', baseline_samples: [sample('pass')], candidate_samples: [sample('error')] });
    const examples = ['zoo', 'tool_heavy', 'arith', 'skill_command', null].flatMap((category) => pairs(1, {}, {}, category));
    const { evidence } = decide({ examples: [...examples, lost], requirements: { completeness_floor: 0.5 } });
    expect(evidence.categories.map(({ category }) => category)).toEqual(['chat', 'skill_command', 'tool_heavy', 'arith', 'zoo']);
  });

  it('a row that regressed by a gate or by its votes, and says so where the verdict is hopeful', () => {
    const examples = [
      ...pairs(20, { rounds: 10 }, { rounds: 10 }),
      ...pairs(5, { rounds: 10 }, { rounds: 13 }, 'tool_heavy'),
      ...pairs(5, {}, {}, 'scheduled'),
    ];
    const hopeful = decide({ examples });
    expect(hopeful.evidence.categories.map(({ category, regressed }) => [category, regressed])).toEqual([
      ['chat', false],
      ['scheduled', false],
      ['tool_heavy', true],
    ]);
    expect(hopeful.evidence.divergence).toBe('no regressions overall; regresses on tool_heavy');
    expect(hopeful.evidence.categories[2]).toMatchObject({ mean_rounds_delta_pct: 30, judged: 0, win_rate: null });

    const votes = { chat: { wins: 20, losses: 0, ties: 0 }, scheduled: { wins: 2, losses: 3, ties: 0 } };
    const upgrade = decide({ examples, votes });
    expect(upgrade.evidence).toMatchObject({ decision: 'upgrade', divergence: 'wins overall; regresses on scheduled and tool_heavy' });
    const all = decide({ examples, votes: { ...votes, chat: { wins: 40, losses: 60, ties: 0 } }, requirements: { win_threshold: 0.41 } });
    expect(all.evidence.divergence).toBeNull();
    const three = decide({ examples: [...examples, ...pairs(1, {}, { rounds: 2 }, 'zoo')], votes });
    expect(three.evidence.divergence).toBe('wins overall; regresses on scheduled, tool_heavy, and zoo');
  });
});
