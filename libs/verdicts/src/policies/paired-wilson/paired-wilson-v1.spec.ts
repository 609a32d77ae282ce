import { PairedWilsonEvidence, type PairedCounts } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { counts, gateInput, side } from '../../verdict-inputs.fixture.js';
import { type GateInput } from './gate-input.js';
import { pairedWilsonV1 } from './paired-wilson-v1.js';

const all40 = counts({ before: 40, after: 40, both: 40, of: 40 });
const lost40 = counts({ before: 40, after: 0, both: 0, of: 40 });

describe('pairedWilsonV1 decides', () => {
  it.each<[string, PairedCounts, Partial<GateInput['requirements']>, string]>([
    ['40/40 against 40/40: nothing moved', all40, { min_accuracy: 0.9 }, 'inconclusive'],
    ['40 to 0', lost40, { min_accuracy: 0.9 }, 'regression'],
    ['38/40 at a floor of 0.9', counts({ before: 30, after: 38, both: 30, of: 40 }), { min_accuracy: 0.9 }, 'inconclusive'],
    ['20/20 cannot prove 0.90', counts({ before: 0, after: 20, both: 0, of: 20 }), { min_accuracy: 0.9 }, 'inconclusive'],
    ['34/34 cannot prove 0.90', counts({ before: 0, after: 34, both: 0, of: 34 }), { min_accuracy: 0.9 }, 'inconclusive'],
    ['35/35 can', counts({ before: 0, after: 35, both: 0, of: 35 }), { min_accuracy: 0.9 }, 'kept'],

    ['1: 19 pairs, all lost', counts({ before: 19, after: 0, both: 0, of: 19 }), {}, 'inconclusive'],
    ['1: 20 pairs, all lost', counts({ before: 20, after: 0, both: 0, of: 20 }), {}, 'regression'],
    ['2 before 3: worse and below the floor', counts({ before: 30, after: 10, both: 10, of: 40 }), { min_accuracy: 0.9 }, 'regression'],
    ['3: upper bound below the floor', counts({ before: 10, after: 12, both: 10, of: 40 }), { min_accuracy: 0.9 }, 'demoted'],
    ['4: floor within the interval', counts({ before: 20, after: 34, both: 20, of: 40 }), { min_accuracy: 0.8 }, 'inconclusive'],
    ['5a: recovery not shown', all40, { min_relative_recovery: 0.95 }, 'inconclusive'],
    ['5a: recovery shown', all40, { min_relative_recovery: 0.9 }, 'kept'],
    ['5b: gain not shown', counts({ before: 10, after: 38, both: 10, of: 40 }), { min_absolute_gain: 0.5 }, 'inconclusive'],
    ['5b: gain shown', counts({ before: 10, after: 38, both: 10, of: 40 }), { min_absolute_gain: 0.4 }, 'kept'],
    ['5b: a negative gain may be allowed', all40, { min_absolute_gain: -0.1 }, 'kept'],
    ['5a holds, 5b does not', all40, { min_relative_recovery: 0.9, min_absolute_gain: 0 }, 'inconclusive'],
    ['5c: the sign test is not needed', counts({ before: 38, after: 37, both: 37, of: 40 }), { min_relative_recovery: 0.8 }, 'kept'],
    ['6: six up', counts({ before: 20, after: 26, both: 20, of: 40 }), {}, 'kept'],
    ['7: five up is not enough', counts({ before: 20, after: 25, both: 20, of: 40 }), {}, 'inconclusive'],
    ['7: five down is not enough', counts({ before: 25, after: 20, both: 20, of: 40 }), {}, 'inconclusive'],
  ])('%s', (_name, paired, requirements, outcome) => {
    const decision = pairedWilsonV1(gateInput(paired, requirements));
    expect(decision.outcome).toBe(outcome);
    expect(decision.evidence?.outcome).toBe(outcome);
    expect(PairedWilsonEvidence.parse(decision.evidence)).toEqual(decision.evidence);
    expect(decision.reason).toMatch(/\.$/);
  });

  it('by the score of pairs for direction and by their kind for accuracy', () => {
    // Every pass stays a pass, yet six scores fall: mean@K can do that.
    const paired = { ...all40, regressed: 6, tied: 34 };
    expect(pairedWilsonV1(gateInput(paired)).outcome).toBe('regression');
  });

  it('takes the relative recovery over a hopeless baseline for 1', () => {
    const none = { paired_examples: 0, improved: 0, regressed: 0, tied: 0, baseline_passes: 0, candidate_passes: 0 };
    const input = gateInput(none);
    const { evidence, outcome } = pairedWilsonV1({ ...input, facts: { ...input.facts, baseline_examples: 3, candidate_examples: 3 } });
    expect(outcome).toBe('inconclusive');
    expect(evidence).toMatchObject({ observed_relative_recovery_lower_bound: 1, candidate_accuracy_upper_bound: 0 });
  });

  it('with complete evidence', () => {
    const paired = counts({ before: 30, after: 38, both: 29, of: 40 });
    const { evidence } = pairedWilsonV1({
      ...gateInput(paired, { min_accuracy: 0.8, min_absolute_gain: 0.01 }),
      eval_job_id: 'job-7',
    });
    expect(evidence).toEqual({
      policy_version: 'paired_wilson_v1',
      suite_policy: 'single_versioned_suite',
      eval_job_id: 'job-7',
      suite_name: 'arithmetic',
      suite_hash: 'sha256:suite',
      effective_generation_hash: 'sha256:generation',
      baseline_adapter: null,
      candidate_adapter: 'tuned',
      aggregation: 'single',
      minimum_paired_examples: 20,
      paired_examples: 40,
      improved: 9,
      regressed: 1,
      tied: 30,
      exact_sign_test_p_value: 22 / 1024,
      exact_sign_test_alpha: 0.05,
      baseline_accuracy: 0.75,
      baseline_accuracy_lower_bound: expect.closeTo(0.59808, 4),
      baseline_accuracy_upper_bound: expect.closeTo(0.85814, 4),
      candidate_accuracy: 0.95,
      candidate_accuracy_lower_bound: expect.closeTo(0.83496, 5),
      candidate_accuracy_upper_bound: expect.closeTo(0.98618, 5),
      accuracy_confidence_level: 0.95,
      minimum_accuracy: 0.8,
      required_relative_recovery: null,
      observed_relative_recovery_lower_bound: expect.closeTo(0.83496 / 0.85814, 3),
      required_absolute_gain: 0.01,
      observed_absolute_gain_lower_bound: expect.closeTo(0.83496 - 0.85814, 4),
      outcome: 'inconclusive',
    });
  });
});

describe('pairedWilsonV1 refuses evidence', () => {
  const sound = gateInput(all40);
  const other = (fields: Partial<typeof side>): GateInput => ({ ...sound, candidate: { ...side, ...fields } });
  const facts = (fields: Partial<GateInput['facts']>): GateInput => ({ ...sound, facts: { ...sound.facts, ...fields } });

  // In the contract’s order; where a case has two faults, it is refused for the earlier one.
  const refusals: [string, GateInput, string][] = [
    ['a capped job', { ...sound, job_state: 'capped' }, 'capped'],
    ['a cancelled job', { ...sound, job_state: 'cancelled' }, 'cancelled'],
    ['a failed job', { ...sound, job_state: 'failed' }, 'failed'],
    ['no baseline', { ...sound, baseline: null }, 'baseline'],
    ['no candidate', { ...sound, candidate: null }, 'candidate'],
    ['another suite', other({ suite_name: 'b', suite_hash: 'b' }), 'different names'],
    ['another suite version', other({ suite_hash: 'b', effective_generation_hash: 'b' }), 'different versions'],
    ['other generation settings', other({ effective_generation_hash: 'b', aggregation: 'mean@3' }), 'generation settings'],
    ['another aggregation', { ...other({ aggregation: 'mean@3' }), facts: { ...sound.facts, candidate_examples: 1 } }, 'aggregations'],
    ['other example counts', facts({ candidate_examples: 39, all_scores_finite: false }), '40 and 39'],
    ['no examples', facts({ baseline_examples: 0, candidate_examples: 0, all_scores_finite: false }), 'no examples'],
    ['a score that is not finite', facts({ all_scores_finite: false, duplicate_ids: 1 }), 'not a finite'],
    ['a duplicate id', facts({ duplicate_ids: 1, missing_ids: 1 }), 'more than once'],
    ['a missing id', facts({ missing_ids: 1 }), 'missing on a side'],
  ];

  it.each(refusals)('%s', (_name, input, reason) => {
    const decision = pairedWilsonV1(input);
    expect(decision).toMatchObject({ outcome: 'error', evidence: null });
    expect(decision.reason).toContain(reason);
  });
});
