import { type ToolCallCounts } from '@kiln/contracts';
import { ExactSum } from '@kiln/statistics';
import { type SampleFacts } from '../../compared-example.js';
import { attemptedCalls, type SampleExtremes, type SideTotals } from './side-totals.js';

/** Stop reasons of an agent that was wound up rather than finished. */
const WRAPUPS: ReadonlySet<string | null> = new Set(['repeated_calls', 'max_rounds']);
const TOOL_OUTCOMES = ['ok', 'rejected', 'failed', 'denied', 'cached', 'suppressed'] as const satisfies (keyof ToolCallCounts)[];

/** Adds up the samples of one side, example by example, in O(1) memory. */
export class SideTally {
  readonly #calls: ToolCallCounts = { ok: 0, rejected: 0, failed: 0, denied: 0, cached: 0, suppressed: 0 };
  readonly #latency = new ExactSum();
  readonly #most = { rejected: 0, attempted: 0 };
  #ok = 0;
  #errors = 0;
  #errorExamples = 0;
  #tasks = 0;
  #tasksWithoutErrors = 0;
  #rounds = 0;
  #cost = 0n;
  #unpriced = 0;
  #wrapups = 0;
  #roundsSeen: [number, number] | null = null;
  #costSeen: [bigint, bigint] | null = null;

  /** @param samples all samples of one example. */
  addExample(samples: readonly SampleFacts[]): void {
    let ok = 0;
    let errors = 0;
    for (const sample of samples) {
      if (sample.kind === 'error') {
        errors++;
        // What only its scoring failed was generated all the same: it reached what it reached.
        if (sample.rounds > 0) this.#see(sample);
      } else if (sample.kind !== 'skipped') {
        ok++;
        this.#addSample(sample);
      }
    }
    this.#ok += ok;
    this.#errors += errors;
    if (errors > 0) this.#errorExamples++;
    if (ok > 0) this.#tasks++;
    if (ok + errors > 0) this.#tasksWithoutErrors++;
  }

  get totals(): SideTotals {
    return {
      ok_samples: this.#ok,
      error_samples: this.#errors,
      error_examples: this.#errorExamples,
      tasks: this.#tasks,
      tasks_without_errors: this.#tasksWithoutErrors,
      tool_calls: { ...this.#calls },
      rounds: this.#rounds,
      cost_nano: this.#cost.toString(),
      unpriced: this.#unpriced,
      latency_ms: this.#latency.value,
      wrapup_count: this.#wrapups,
      extremes: this.#extremes(),
    };
  }

  #addSample(sample: SampleFacts): void {
    const { rounds, cost, latency_ms, stop_reason, tool_calls } = sample;
    this.#see(sample);
    this.#rounds += rounds;
    if (cost === null) this.#unpriced++;
    else this.#cost += cost;
    this.#latency.add(latency_ms ?? 0);
    if (WRAPUPS.has(stop_reason)) this.#wrapups++;
    if (tool_calls) for (const outcome of TOOL_OUTCOMES) this.#calls[outcome] += tool_calls[outcome];
  }

  /** Widens the extremes by a sample that has a trace. */
  #see({ rounds, cost, tool_calls }: SampleFacts): void {
    const [least, most] = this.#roundsSeen ?? [rounds, rounds];
    this.#roundsSeen = [Math.min(least, rounds), Math.max(most, rounds)];
    if (cost !== null) {
      const [cheapest, dearest] = this.#costSeen ?? [cost, cost];
      this.#costSeen = [cost < cheapest ? cost : cheapest, cost > dearest ? cost : dearest];
    }
    if (tool_calls === null) return;
    this.#most.rejected = Math.max(this.#most.rejected, tool_calls.rejected);
    this.#most.attempted = Math.max(this.#most.attempted, attemptedCalls(tool_calls));
  }

  #extremes(): SampleExtremes | null {
    if (this.#roundsSeen === null) return null;
    const cost = this.#costSeen;
    return {
      rounds: this.#roundsSeen,
      cost_nano: cost === null ? null : [cost[0].toString(), cost[1].toString()],
      ...this.#most,
    };
  }
}
