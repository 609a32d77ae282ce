import { describe, expect, it } from 'vitest';
import { ThinkingBudget, type ThinkingLimits } from './thinking-budget.js';

const CLOSE = [91, 92];

/**
 * A model that thinks for `thoughts` tokens (the next one closes), then answers `answers` tokens. Token n is chosen at
 * n * 10 ms. Returns the tokens (0 = chosen freely) and the outcome.
 */
function decode(limits: Partial<ThinkingLimits>, thoughts: number, answers: number, maxTokens = 100) {
  const budget = new ThinkingBudget({ maxTokens: null, maxTimeMs: null, ...limits }, () => CLOSE);
  const tokens: number[] = [];
  let inside = thoughts > 0;
  let closing = 0;
  let answered = 0;
  let ranOut = false;
  while (answered < answers || inside) {
    if (tokens.length === maxTokens) {
      ranOut = true;
      break;
    }
    const now = 1000 + tokens.length * 10;
    const forced = budget.next(inside, now);
    tokens.push(forced ?? 0);
    if (forced !== null) inside = ++closing < CLOSE.length;
    else if (inside) inside = tokens.length <= thoughts;
    else answered++;
    budget.accept(inside, now + 1);
  }
  return { tokens, outcome: budget.outcome(ranOut) };
}

describe('ThinkingBudget', () => {
  it('measures without limits and forces nothing', () => {
    expect(decode({}, 3, 2)).toEqual({
      tokens: [0, 0, 0, 0, 0, 0],
      outcome: { applied: false, triggered: false, closed: true, thinking_tokens: 3, thinking_time_ms: 31 },
    });
  });

  it('closes at the token limit and goes on', () => {
    expect(decode({ maxTokens: 2 }, 50, 2)).toEqual({
      tokens: [0, 0, 91, 92, 0, 0],
      outcome: { applied: true, triggered: true, trigger: 'tokens', closed: true, thinking_tokens: 2, thinking_time_ms: 31 },
    });
  });

  it('closes at once with a limit of 0', () => {
    expect(decode({ maxTokens: 0 }, 50, 1)).toMatchObject({
      tokens: [91, 92, 0],
      outcome: { triggered: true, trigger: 'tokens', closed: true, thinking_tokens: 0 },
    });
  });

  it('closes at the time limit', () => {
    expect(decode({ maxTimeMs: 30 }, 50, 1)).toMatchObject({
      tokens: [0, 0, 0, 91, 92, 0],
      outcome: { trigger: 'time', time_up_at: 3, closed: true, thinking_tokens: 3 },
    });
  });

  it('closes where the time was up when it is replayed, whatever the clock says', () => {
    const replayed = decode({ maxTimeMs: 0, timeUpAt: 3 }, 50, 1);
    expect(replayed).toEqual(decode({ maxTimeMs: 30 }, 50, 1));
    expect(decode({ maxTimeMs: 1e9, timeUpAt: 1 }, 50, 1).tokens).toEqual([0, 91, 92, 0]);
  });

  it('lets the first limit win', () => {
    expect(decode({ maxTokens: 5, maxTimeMs: 20 }, 50, 1).outcome.trigger).toBe('time');
    expect(decode({ maxTokens: 1, maxTimeMs: 20 }, 50, 1).outcome.trigger).toBe('tokens');
  });

  it('is not triggered by reasoning that ends in time', () => {
    expect(decode({ maxTokens: 10, maxTimeMs: 1000 }, 3, 1).outcome).toMatchObject({ applied: true, triggered: false, closed: true });
  });

  it('names max_tokens when the completion runs out inside a thought', () => {
    expect(decode({ maxTokens: 50 }, 20, 1, 5).outcome).toMatchObject({
      applied: true,
      triggered: true,
      trigger: 'max_tokens',
      closed: false,
      thinking_tokens: 5,
    });
    expect(decode({}, 20, 1, 5).outcome).toMatchObject({ applied: false, triggered: false, closed: false });
    expect(decode({ maxTokens: 4 }, 20, 1, 5).outcome).toMatchObject({ trigger: 'tokens', closed: false });
  });

  it('does not apply to a completion without reasoning', () => {
    expect(decode({ maxTokens: 1 }, 0, 3)).toEqual({ tokens: [0, 0, 0], outcome: { applied: false, triggered: false } });
  });
});
