import { type OutcomeKind, Verdict } from '@kiln/contracts';
import { canonicalJson } from '@kiln/provenance';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideVerdict, type VerdictRequest } from './decide-verdict.js';
import { accumulatePairs, outcome, side, times, tuned } from './verdict-inputs.fixture.js';

const subject: VerdictRequest = {
  eval_job_id: 'job-1',
  job_state: 'completed',
  baseline: side,
  candidate: tuned,
  requirements: { policy: 'paired_wilson_v1', min_accuracy: 0.5 },
  job: { expected_samples: 80, ok_samples: 80, error_samples: 0 },
  votes: new Map(),
};
type Pair = readonly [OutcomeKind, OutcomeKind];
const verdictOn = (pairs: readonly Pair[], changes: Partial<VerdictRequest> = {}) =>
  decideVerdict({ ...subject, ...changes }, accumulatePairs(pairs.map(([before, after]) => [outcome(before), outcome(after)] as const)));

const improvedBySix: Pair[] = [...times(34, (): Pair => ['pass', 'pass']), ...times(6, (): Pair => ['fail', 'pass'])];

describe('decideVerdict', () => {
  it('keeps a candidate that is shown to be better, with all the evidence', () => {
    const verdict = verdictOn(improvedBySix);
    expect(Verdict.parse(verdict)).toEqual(verdict);
    expect(verdict).toMatchObject({
      policy_version: 'paired_wilson_v1',
      baseline_run_index: 0,
      candidate_run_index: 1,
      outcome: 'kept',
      evidence: { outcome: 'kept', exact_sign_test_p_value: 0.03125, paired_examples: 40 },
      error_bounds: { agree: true, worst: { outcome: 'kept' }, best: { outcome: 'kept' } },
    });
    expect(verdict.input_digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('is inconclusive where an error of the baseline made the difference', () => {
    const verdict = verdictOn(improvedBySix.with(39, ['error', 'pass']));
    expect(verdict).toMatchObject({
      outcome: 'inconclusive',
      evidence: { outcome: 'kept' },
      error_bounds: { agree: false, actual: { outcome: 'kept' }, worst: { outcome: 'inconclusive' }, best: { outcome: 'kept' } },
    });
    expect(verdict.reason).toBe('1 error could change this; as measured it is kept.');
    expect(verdict.error_bounds).toMatchObject({
      errors: { baseline: { samples: 1, examples: 1 }, candidate: { samples: 0, examples: 0 } },
      errors_that_could_change_it: 1,
    });
  });

  it('does not let an outage of the candidate pass for a regression', () => {
    const outage = times(40, (): Pair => ['pass', 'error']);
    expect(verdictOn(outage)).toMatchObject({ outcome: 'inconclusive', evidence: { outcome: 'regression' } });
  });

  it('stands through errors that could not change it', () => {
    const lost: Pair[] = [...times(39, (): Pair => ['pass', 'fail']), ['pass', 'error']];
    expect(verdictOn(lost)).toMatchObject({ outcome: 'regression', error_bounds: { agree: true } });
  });

  it('refuses stopped jobs and foreign evidence whatever the numbers', () => {
    const refused = { outcome: 'error', evidence: null, error_bounds: null };
    expect(verdictOn(improvedBySix, { job_state: 'capped' })).toMatchObject(refused);
    expect(verdictOn(improvedBySix, { job_state: 'cancelled' })).toMatchObject(refused);
    expect(verdictOn(improvedBySix, { baseline: { ...side, suite_hash: 'other' } })).toMatchObject(refused);
    expect(Verdict.parse(verdictOn(improvedBySix, { baseline: null }))).toMatchObject(refused);
  });

  it('reads the reduced outcome of an example, not its first completion', () => {
    const later = outcome('fail', 'pass', 'pass');
    const first = outcome('pass', 'fail', 'fail');
    const pairs = times(40, () => [first, later] as const);
    expect(decideVerdict(subject, accumulatePairs(pairs))).toMatchObject({
      outcome: 'kept',
      evidence: { improved: 40, baseline_accuracy: 0, candidate_accuracy: 1 },
    });
  });

  it('has another input digest for other rows, thresholds or states, and the same for the same', () => {
    const digests = [
      verdictOn(improvedBySix),
      verdictOn(improvedBySix.toReversed()),
      verdictOn(improvedBySix, { requirements: { policy: 'paired_wilson_v1', min_accuracy: 0.6 } }),
      verdictOn(improvedBySix, { job_state: 'capped' }),
      verdictOn(improvedBySix, { eval_job_id: 'job-2' }),
    ].map((verdict) => verdict.input_digest);
    expect(new Set(digests).size).toBe(digests.length);
    expect(verdictOn(improvedBySix).input_digest).toBe(digests[0]);
  });

  it('keeps its golden bytes', () => {
    expect(canonicalJson(verdictOn(improvedBySix))).toMatchInlineSnapshot(
      `"{"baseline_run_index":0,"candidate_run_index":1,"error_bounds":{"actual":{"counts":{"baseline_passes":34,"candidate_passes":40,"improved":6,"paired_examples":40,"regressed":0,"tied":34},"outcome":"kept"},"agree":true,"best":{"counts":{"baseline_passes":34,"candidate_passes":40,"improved":6,"paired_examples":40,"regressed":0,"tied":34},"outcome":"kept"},"errors":{"baseline":{"examples":0,"samples":0},"candidate":{"examples":0,"samples":0}},"errors_that_could_change_it":0,"policy_version":"error_bounds_v1","worst":{"counts":{"baseline_passes":34,"candidate_passes":40,"improved":6,"paired_examples":40,"regressed":0,"tied":34},"outcome":"kept"}},"evidence":{"accuracy_confidence_level":0.95,"aggregation":"single","baseline_accuracy":0.85,"baseline_accuracy_lower_bound":0.709276756335,"baseline_accuracy_upper_bound":0.929388122827,"baseline_adapter":null,"candidate_accuracy":1,"candidate_accuracy_lower_bound":0.912378398803,"candidate_accuracy_upper_bound":1,"candidate_adapter":"tuned","effective_generation_hash":"sha256:generation","eval_job_id":"job-1","exact_sign_test_alpha":0.05,"exact_sign_test_p_value":0.03125,"improved":6,"minimum_accuracy":0.5,"minimum_paired_examples":20,"observed_absolute_gain_lower_bound":-0.0170097240241,"observed_relative_recovery_lower_bound":0.981697932644,"outcome":"kept","paired_examples":40,"policy_version":"paired_wilson_v1","regressed":0,"required_absolute_gain":null,"required_relative_recovery":null,"suite_hash":"sha256:suite","suite_name":"arithmetic","suite_policy":"single_versioned_suite","tied":34},"input_digest":"sha256:072b9de90986892f98594349d253b20fb875e95c186ff5f08a2066d11e10a877","outcome":"kept","policy_version":"paired_wilson_v1","reason":"Significantly better than the baseline: 6 improved, 0 regressed."}"`,
    );
  });

  it('is the same bytes when recomputed, and passes only what the policy passed', () => {
    const kind = fc.constantFrom<OutcomeKind>('pass', 'pass', 'fail', 'error', 'skipped');
    fc.assert(
      fc.property(fc.array(fc.tuple(kind, kind), { minLength: 15, maxLength: 60 }), (pairs) => {
        const verdict = verdictOn(pairs);
        expect(canonicalJson(verdictOn(pairs))).toBe(canonicalJson(verdict));
        expect(verdict.outcome !== 'kept' || verdict.evidence?.outcome === 'kept').toBe(true);
        const hasError = pairs.some((pair) => pair.includes('error'));
        expect(hasError || verdict.error_bounds === null || verdict.error_bounds.agree).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
