import { type PairedCounts, type ReducedOutcome } from '@kiln/contracts';

type Outcome = Pick<ReducedOutcome, 'kind' | 'score'>;

/** Counts pairs for the gate: direction by reduced score, passes by reduced kind (contracts §1.6 B). */
export class PairTally {
  readonly #counts: PairedCounts = {
    paired_examples: 0,
    improved: 0,
    regressed: 0,
    tied: 0,
    baseline_passes: 0,
    candidate_passes: 0,
  };

  add(baseline: Outcome, candidate: Outcome): void {
    const counts = this.#counts;
    counts.paired_examples++;
    if (candidate.score > baseline.score) counts.improved++;
    else if (candidate.score < baseline.score) counts.regressed++;
    else counts.tied++;
    if (baseline.kind === 'pass') counts.baseline_passes++;
    if (candidate.kind === 'pass') counts.candidate_passes++;
  }

  get counts(): PairedCounts {
    return { ...this.#counts };
  }
}
