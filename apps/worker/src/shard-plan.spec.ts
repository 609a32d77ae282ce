import { Generation, parseWith, type SuiteHeader } from '@kiln/contracts';
import { type Lease, type ShardExample } from '@kiln/database';
import { describe, expect, it } from 'vitest';
import { planSamples } from './shard-plan.js';

const header = {
  generation: parseWith(Generation, { n: 2 }, 'generation'),
  default_scorer: { kind: 'exact_match' },
  system_prompt: null,
  tools: null,
};
const lease = { k: 2, effectiveSeed: 42n, generationOverride: null, scorer: null, target: { kind: 'model' } };

function planned(timeLimits: ReadonlyMap<string, number>, thinkingDefaults: object = {}) {
  const example = (ordinal: number, recorded: number[]): ShardExample =>
    ({
      ordinal,
      key: 'example-7',
      example: { messages: [], tools: null, scorer: null, generation: null, pinned_history: null },
      recorded,
    }) as never;
  return planSamples(
    { ...lease, thinkingDefaults } as unknown as Lease,
    header as SuiteHeader,
    [example(0, [0]), example(1, [])],
    1000,
    timeLimits,
  );
}

describe('planSamples', () => {
  it('plans what has no outcome, with derived seeds', () => {
    const samples = planned(new Map());
    expect(samples.map(({ request }) => request.id)).toEqual(['0:1', '1:0', '1:1']);
    // contracts.md §1.3 has the seed of (42, "example-7", 0).
    expect(samples[1]!.request.seed).toBe('14348408530472787834');
    expect(samples.every(({ request }) => !('thinkingTimeUpAt' in request))).toBe(true);
  });

  it('limits reasoning by the server’s defaults where nobody else does', () => {
    const generations = planned(new Map(), { thinking_budget_tokens: 12 }).map(({ request }) => request.generation);
    expect(generations).toEqual(Array.from({ length: 3 }, () => ({ ...header.generation, thinking_budget_tokens: 12 })));
  });

  it('ends the reasoning of a replayed sample where the clock ended it, and of no other', () => {
    expect(planned(new Map([['1:0', 17]])).map(({ request }) => request)).toEqual([
      expect.not.objectContaining({ thinkingTimeUpAt: expect.anything() }),
      expect.objectContaining({ id: '1:0', thinkingTimeUpAt: 17 }),
      expect.not.objectContaining({ thinkingTimeUpAt: expect.anything() }),
    ]);
  });
});
