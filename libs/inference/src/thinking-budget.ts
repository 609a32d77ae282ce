import { type ThinkingBudgetOutcome } from '@kiln/contracts';

/** Limits on reasoning; null = unlimited. */
export interface ThinkingLimits {
  readonly maxTokens: number | null;
  readonly maxTimeMs: number | null;
  /** A replay: the number of generated tokens at which the limit in time was reached; the clock decides nothing then. */
  readonly timeUpAt?: number | undefined;
}

/** The outcome where no limit could be enforced and no reasoning was measured, as behind an HTTP endpoint. */
export const NO_THINKING_BUDGET: ThinkingBudgetOutcome = Object.freeze({ applied: false, triggered: false });

/**
 * Enforces the limits on reasoning in one completion. Per token: `next` before it is chosen, `accept` after. The clock
 * starts at the first call of `next`, so queueing and prompt processing do not count. The first limit reached wins; then the
 * closing tokens are forced one by one and decoding goes on as usual. Times are milliseconds of any monotonic clock.
 */
export class ThinkingBudget {
  readonly #limits: ThinkingLimits;
  readonly #closeTokens: () => readonly number[];
  #startedAt: number | null = null;
  #endedAt: number | null = null;
  #thought = false;
  #inside = false;
  #tokens = 0;
  /** Tokens of the completion so far, reasoning or not. */
  #position = 0;
  #trigger: 'tokens' | 'time' | null = null;
  #triggeredAt = 0;
  #forced: number[] = [];

  /** `closeTokens` is asked once, when a limit is reached. */
  constructor(limits: ThinkingLimits, closeTokens: () => readonly number[]) {
    this.#limits = limits;
    this.#closeTokens = closeTokens;
  }

  /** The token that is forced at this position, or null to choose one. `inside`: the next token continues a thought. */
  next(inside: boolean, nowMs: number): number | null {
    this.#startedAt ??= nowMs;
    this.#note(inside, nowMs);
    if (inside && this.#trigger === null) {
      this.#trigger = this.#reached(nowMs - this.#startedAt);
      if (this.#trigger !== null) {
        this.#triggeredAt = this.#position;
        this.#forced = [...this.#closeTokens()];
      }
    }
    return this.#forced.shift() ?? null;
  }

  /** Counts the token chosen after `next`. `inside`: the completion is still within a thought. */
  accept(inside: boolean, nowMs: number): void {
    this.#position++;
    if (this.#inside && inside && this.#trigger === null) this.#tokens++;
    this.#note(inside, nowMs);
  }

  /** The outcome at the end. `ranOut`: the completion ended because its tokens ran out. */
  outcome(ranOut: boolean): ThinkingBudgetOutcome {
    const { maxTokens, maxTimeMs, timeUpAt } = this.#limits;
    const applied = this.#thought && (maxTokens !== null || maxTimeMs !== null || timeUpAt !== undefined);
    const trigger = this.#trigger ?? (applied && this.#inside && ranOut ? 'max_tokens' : null);
    const outcome: ThinkingBudgetOutcome = { applied, triggered: trigger !== null };
    if (trigger !== null) outcome.trigger = trigger;
    if (this.#trigger === 'time') outcome.time_up_at = this.#triggeredAt;
    if (!this.#thought) return outcome;
    outcome.closed = !this.#inside;
    outcome.thinking_tokens = this.#tokens;
    outcome.thinking_time_ms = Math.max(0, Math.round(this.#endedAt! - this.#startedAt!));
    return outcome;
  }

  #reached(elapsedMs: number): 'tokens' | 'time' | null {
    if (this.#limits.maxTokens !== null && this.#tokens >= this.#limits.maxTokens) return 'tokens';
    const { maxTimeMs, timeUpAt } = this.#limits;
    if (timeUpAt !== undefined) return this.#position >= timeUpAt ? 'time' : null;
    return maxTimeMs !== null && elapsedMs >= maxTimeMs ? 'time' : null;
  }

  #note(inside: boolean, nowMs: number): void {
    if (inside || this.#inside) this.#endedAt = nowMs;
    this.#thought ||= inside;
    this.#inside = inside;
  }
}
