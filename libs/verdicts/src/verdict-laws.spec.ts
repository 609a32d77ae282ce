import { GateRequest, type OutcomeKind, Verdict } from '@kiln/contracts';
import { canonicalJson } from '@kiln/provenance';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ComparedExample } from './compared-example.js';
import { decideVerdict, type VerdictRequest } from './decide-verdict.js';
import { accumulate, example, outcome, sample, side, tuned } from './verdict-inputs.fixture.js';

const GATES: GateRequest[] = [
  { policy: 'paired_wilson_v1', min_accuracy: 0.3 },
  GateRequest.parse({ policy: 'objective_gates_v1', completeness_floor: 0.5, win_threshold: 0.5 }),
  { policy: 'hillclimb_v1' },
];
const PASSES = new Set(['kept', 'promoted']);

interface Row {
  readonly before: OutcomeKind;
  readonly after: OutcomeKind;
  readonly rounds: readonly [number, number];
  readonly cost: readonly [number, number];
  readonly split: string | null;
  readonly category: string | null;
}

const kind = fc.constantFrom<OutcomeKind>('pass', 'pass', 'pass', 'fail', 'fail', 'invalid', 'error', 'skipped');
const row: fc.Arbitrary<Row> = fc.record({
  before: kind,
  after: kind,
  rounds: fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })),
  cost: fc.tuple(fc.nat(9), fc.nat(9)),
  split: fc.constantFrom('train', 'test', null),
  category: fc.constantFrom('chat', '__proto__', null),
});
const rows = fc.array(row, { minLength: 1, maxLength: 60 });
const votes = fc.dictionary(fc.constantFrom('chat', '__proto__'), fc.record({ wins: fc.nat(9), losses: fc.nat(9), ties: fc.nat(9) }));
/** What policies pass, or just do not: a few more right answers at a lower price, and anything besides, errors above all. */
const betterRows: fc.Arbitrary<Row[]> = fc
  .record({
    others: fc.array(
      fc.oneof(
        row,
        fc.tuple(row, kind).map(([other, after]) => ({ ...other, before: 'error' as const, after })),
      ),
      {
        maxLength: 12,
      },
    ),
    improved: fc.integer({ min: 4, max: 12 }),
    unchanged: fc.integer({ min: 12, max: 30 }),
    category: fc.constantFrom('chat', null),
  })
  .map(({ others, improved, unchanged, category }) => [
    ...others,
    ...Array.from({ length: improved + unchanged }, (_, at): Row => {
      const before = at < improved ? 'fail' : 'pass';
      return { before, after: 'pass', rounds: [2, 1], cost: [2, 1], split: at % 2 === 0 ? 'train' : 'test', category };
    }),
  ]);
const clearVotes = fc.record({ chat: fc.record({ wins: fc.integer({ min: 9, max: 20 }), losses: fc.nat(4), ties: fc.nat(4) }) });

function toExample({ before, after, rounds, cost, split, category }: Row, ordinal: number): ComparedExample {
  const samples = (sampled: OutcomeKind, at: 0 | 1) => [
    sample(sampled, sampled === 'error' ? {} : { rounds: rounds[at], cost: BigInt(cost[at]) }),
  ];
  return example(ordinal, {
    split,
    category,
    baseline: outcome(before),
    candidate: outcome(after),
    baseline_samples: samples(before, 0),
    candidate_samples: samples(after, 1),
  });
}

function decide(
  given: readonly Row[],
  requirements: GateRequest,
  cast: Record<string, { wins: number; losses: number; ties: number }> = {},
): Verdict {
  const kinds = given.flatMap(({ before, after }) => [before, after]);
  const count = (wanted: OutcomeKind): number => kinds.filter((each) => each === wanted).length;
  const request: VerdictRequest = {
    eval_job_id: 'job-1',
    job_state: 'completed',
    baseline: side,
    candidate: tuned,
    requirements,
    job: {
      expected_samples: kinds.length - count('skipped'),
      ok_samples: kinds.length - count('skipped') - count('error'),
      error_samples: count('error'),
    },
    votes: new Map(Object.entries(cast)),
  };
  return decideVerdict(request, accumulate(given.map(toExample), requirements.policy));
}

describe.each(GATES)('under error bounds, $policy', (gate) => {
  it('passes only what it passed as measured, and at its worst and best too', () => {
    let passed = 0;
    const given = fc.oneof(fc.tuple(rows, votes), fc.tuple(betterRows, clearVotes));
    fc.assert(
      fc.property(given, ([examples, cast]) => {
        const { outcome: standing, evidence, error_bounds: bounds } = decide(examples, gate, cast);
        if (!PASSES.has(standing)) return;
        passed += 1;
        expect(evidence && PASSES.has(evidence.outcome)).toBe(true);
        expect(bounds && [bounds.actual, bounds.worst, bounds.best].every((reading) => PASSES.has(reading.outcome))).toBe(true);
      }),
      { numRuns: 150 },
    );
    expect(passed, 'some did pass').toBeGreaterThan(0);
  });

  it('measures in its evidence what the reading as measured says', () => {
    fc.assert(
      fc.property(rows, votes, (given, cast) => {
        const { evidence, error_bounds: bounds } = decide(given, gate, cast);
        expect(evidence?.outcome).toBe(bounds?.actual.outcome);
      }),
      { numRuns: 60 },
    );
  });

  it('is untouched, and counts none, where there is no error', () => {
    fc.assert(
      fc.property(rows, votes, (given, cast) => {
        const measured = given.map((each) => ({ ...each, before: noError(each.before), after: noError(each.after) }));
        const { outcome: standing, evidence, error_bounds: bounds } = decide(measured, gate, cast);
        expect(standing).toBe(evidence?.outcome);
        expect(bounds).toMatchObject({ agree: true, errors_that_could_change_it: 0 });
      }),
      { numRuns: 60 },
    );
  });

  it('counts the errors that could change it, exactly when the readings differ', () => {
    fc.assert(
      fc.property(rows, votes, (given, cast) => {
        const { error_bounds: bounds, reason } = decide(given, gate, cast);
        expect(bounds && bounds.errors_that_could_change_it > 0).toBe(bounds && !bounds.agree);
        expect(reason.includes('could change this')).toBe(bounds !== null && !bounds.agree);
      }),
      { numRuns: 100 },
    );
  });

  it('is a verdict of the contract, and the same bytes when decided again', () => {
    fc.assert(
      fc.property(rows, votes, (given, cast) => {
        const verdict = decide(given, gate, cast);
        expect(Verdict.parse(verdict)).toEqual(verdict);
        expect(canonicalJson(decide(given, gate, cast))).toBe(canonicalJson(verdict));
      }),
      { numRuns: 40 },
    );
  });
});

function noError(measured: OutcomeKind): OutcomeKind {
  return measured === 'error' ? 'fail' : measured;
}
