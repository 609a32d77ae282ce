import { formatNanoUsd, type HillclimbSide } from '@kiln/contracts';
import { DOMAINS, SequenceHasher } from '@kiln/provenance';
import { ExactSum } from '@kiln/statistics';
import { type ComparedExample, type SampleFacts } from '../../compared-example.js';

export type RunUsage = Pick<HillclimbSide, 'case_set_hash' | 'cases' | 'errors' | 'mean_duration_ms' | 'cost_usd' | 'total_tokens'>;

/** Which examples one side completed, and what its samples used. O(1) memory. */
export class RunUsageTally {
  readonly #cases = new SequenceHasher(DOMAINS.caseSet);
  readonly #duration = new ExactSum();
  #durations = 0;
  #errors = 0;
  #cost: bigint | null = 0n;
  #tokens: number | null = 0;

  /** @param complete the side has an outcome for the example. */
  add({ ordinal, example_id, split }: ComparedExample, complete: boolean, samples: readonly SampleFacts[]): void {
    if (complete) this.#cases.add([ordinal, example_id, split]);
    for (const sample of samples) this.#addSample(sample);
  }

  /** Can be called once. */
  finish(): RunUsage {
    const { count, sha256 } = this.#cases.finish();
    return {
      case_set_hash: sha256,
      cases: count,
      errors: this.#errors,
      mean_duration_ms: this.#durations === 0 ? null : this.#duration.value / this.#durations,
      cost_usd: this.#cost === null ? null : formatNanoUsd(this.#cost),
      total_tokens: this.#tokens,
    };
  }

  #addSample({ kind, cost, latency_ms, tokens }: SampleFacts): void {
    if (kind === 'error') this.#errors++;
    if (latency_ms !== null) {
      this.#duration.add(latency_ms);
      this.#durations++;
    }
    this.#cost = cost === null || this.#cost === null ? null : this.#cost + cost;
    this.#tokens = tokens === null || this.#tokens === null ? null : this.#tokens + tokens;
  }
}
