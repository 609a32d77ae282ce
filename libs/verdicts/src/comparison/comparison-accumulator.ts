import { type Comparison, type PairedCounts } from '@kiln/contracts';
import { type BoundedOutcome, ClusterIndex, ClusterSums, OutcomeTally } from '@kiln/outcomes';
import { DOMAINS, roundEvidence, SequenceHasher } from '@kiln/provenance';
import { type SignFlipResult } from '@kiln/statistics';
import { comparedSide, type SideIdentity } from './compared-side.js';
import { FlipList } from './flip-list.js';
import { type ComparedPair, type PairingFacts } from './pair.js';
import { PairTally } from './pair-tally.js';
import { pairedTests } from './paired-tests.js';
import { type SignFlipInput, signFlipOf } from './sign-flip-input.js';

/** Everything that a verdict is decided from. */
export interface PairedResult {
  /** For people, fractions rounded to 12 digits; `comparison.pairs` are the counts as measured. */
  readonly comparison: Comparison;
  /** The counts with every error at the candidate's worst: errors of the candidate fail, of the baseline pass. */
  readonly worst: PairedCounts;
  /** The reverse. */
  readonly best: PairedCounts;
  readonly facts: PairingFacts;
  /** Digest of every pair in order, all three readings. */
  readonly rows_digest: string;
}

/**
 * Compares a candidate with the baseline, from a stream of pairs in suite order.
 *
 * Two notions of change, on purpose: flips compare kinds (pass or not), tests and gates compare the reduced score. A pair
 * with a skipped side, or without an outcome on a side, is unpaired and in no number. Memory: the differences of the
 * pairs that moved, a few numbers a cluster, and a hundred ids each way.
 */
export class ComparisonAccumulator {
  readonly #sides: { readonly baseline: SideIdentity; readonly candidate: SideIdentity };
  readonly #baseline = new OutcomeTally();
  readonly #candidate = new OutcomeTally();
  readonly #actual = new PairTally();
  readonly #worst = new PairTally();
  readonly #best = new PairTally();
  readonly #flips = new FlipList();
  readonly #movedDeltas: number[] = [];
  readonly #clusters: ClusterSums;
  readonly #rows = new SequenceHasher(DOMAINS.comparedRows);
  readonly #facts = { baseline_examples: 0, candidate_examples: 0, duplicate_ids: 0, missing_ids: 0 };
  #finite = true;
  #unpaired = 0;
  #lastOrdinal = -1;
  #lastId: string | null = null;

  /** @param clusters may be shared with the other comparisons and runs of the job. */
  constructor(sides: { readonly baseline: SideIdentity; readonly candidate: SideIdentity }, clusters = new ClusterIndex()) {
    this.#sides = sides;
    this.#clusters = new ClusterSums(clusters);
  }

  /** @throws RangeError when pairs go back in suite order; a pair that repeats is counted as a duplicate and ignored. */
  add(pair: ComparedPair): void {
    if (pair.ordinal < this.#lastOrdinal) {
      throw new RangeError(`pairs arrive in suite order, but ordinal ${pair.ordinal} follows ${this.#lastOrdinal}`);
    }
    if (pair.ordinal === this.#lastOrdinal || pair.example_id === this.#lastId) {
      this.#facts.duplicate_ids++;
      return;
    }
    this.#lastOrdinal = pair.ordinal;
    this.#lastId = pair.example_id;
    this.#noteFacts(pair);
    const { baseline, candidate } = pair;
    const finite = [baseline, candidate].every(hasFiniteScores);
    this.#finite &&= finite;
    this.#rows.add([pair.ordinal, pair.example_id, ...(finite ? [readings(baseline), readings(candidate)] : [])]);
    if (!finite || !baseline || !candidate || baseline.actual.kind === 'skipped' || candidate.actual.kind === 'skipped') {
      this.#unpaired++;
      return;
    }
    this.#baseline.add(baseline.actual);
    this.#candidate.add(candidate.actual);
    this.#actual.add(baseline.actual, candidate.actual);
    this.#worst.add(baseline.best, candidate.worst);
    this.#best.add(baseline.worst, candidate.best);
    this.#flips.add(pair.example_id, baseline.actual.kind, candidate.actual.kind);
    const delta = candidate.actual.score - baseline.actual.score;
    if (delta !== 0) this.#movedDeltas.push(delta);
    this.#clusters.add(delta, pair.cluster ?? null);
  }

  /** Of the pairs so far. */
  get signFlipInput(): SignFlipInput {
    return { deltas: Float64Array.from(this.#movedDeltas), unmoved: this.#actual.counts.tied };
  }

  /**
   * Can be called once.
   *
   * @param signFlip the test of {@link signFlipInput}; computed here when absent.
   */
  finish(signFlip: SignFlipResult | null = signFlipOf(this.signFlipInput)): PairedResult {
    const pairs = this.#actual.counts;
    const comparison: Comparison = {
      baseline: comparedSide(this.#sides.baseline, this.#baseline),
      candidate: comparedSide(this.#sides.candidate, this.#candidate),
      pairs,
      unpaired_examples: this.#unpaired,
      ...this.#flips.flips(),
      agreement: this.#flips.agreement(),
      ...pairedTests({ counts: pairs, moved: this.#movedDeltas, byCluster: this.#clusters, signFlip }),
    };
    return {
      comparison: roundEvidence(comparison),
      worst: this.#worst.counts,
      best: this.#best.counts,
      facts: { ...this.#facts, all_scores_finite: this.#finite },
      rows_digest: this.#rows.finish().sha256,
    };
  }

  #noteFacts({ example_id, baseline, candidate }: ComparedPair): void {
    const facts = this.#facts;
    if (baseline) facts.baseline_examples++;
    if (candidate) facts.candidate_examples++;
    if ((baseline === null) !== (candidate === null) || example_id === '') facts.missing_ids++;
  }
}

/** Reducers refuse other scores; rows that did not come from one must spoil the evidence, not the sums. */
function hasFiniteScores(outcome: BoundedOutcome | null): boolean {
  return outcome === null || [outcome.actual, outcome.worst, outcome.best].every(({ score }) => Number.isFinite(score));
}

/** An outcome's three readings as a short list, for the digest. */
function readings(outcome: BoundedOutcome | null): (string | number)[] | null {
  if (outcome === null) return null;
  const { actual, worst, best } = outcome;
  return [actual.kind, actual.score, worst.kind, worst.score, best.kind, best.score];
}
