import { JobState, type StopReason } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { finalState, isTerminal } from './job-state.js';

describe('job states', () => {
  it('knows the terminal ones', () => {
    expect(JobState.options.filter(isTerminal)).toEqual(['completed', 'capped', 'cancelled', 'failed']);
  });

  it.each<[StopReason | null, string]>([
    [null, 'completed'],
    ['cost_cap', 'capped'],
    ['token_cap', 'capped'],
    ['cancelled', 'cancelled'],
    ['halted', 'cancelled'],
  ])('stopped by %s ends as %s', (reason, state) => {
    expect(finalState(reason)).toBe(state);
    expect(isTerminal(finalState(reason))).toBe(true);
  });
});
