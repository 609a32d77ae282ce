import { describe, expect, it } from 'vitest';
import { type DecodeRules } from './decode-rules.js';
import { SlotTable } from './slot-table.js';

const RULES: DecodeRules = {
  minRows: 1,
  maxRows: 4,
  stepSizes: null,
  masksWholeSlots: false,
  chunkTokens: 8,
  reuse: 'anywhere',
  past: 'slots',
};

function table(...prompts: number[][]): SlotTable {
  const slots = new SlotTable(4);
  prompts.forEach((tokens, slot) => slots.begin(slot, { adapter: null, tokens, read: tokens.length, stateAt: null }));
  return slots;
}

describe('SlotTable', () => {
  it('finds the longest prefix, its own slot first', () => {
    const slots = table([1, 2, 3, 9, 9, 9], [1, 2, 3, 4, 5, 9], [1, 2, 3, 4, 5, 6]);
    expect(slots.findPrefix([1, 2, 3, 4, 5, 7, 7, 7], null, 3, RULES, false)).toEqual({ donor: 1, tokens: 5 });
    expect(slots.findPrefix([1, 2, 3, 4, 5, 7, 7, 7], null, 2, RULES, false)).toEqual({ donor: 2, tokens: 5 });
    expect(slots.findPrefix([8, 8, 8, 8], null, 3, RULES, false)).toBeNull();
  });

  it('counts only what was read, and only for the same adapter', () => {
    const slots = table([1, 2, 3, 4, 5, 6]);
    slots.begin(1, { adapter: 'a', tokens: [1, 2, 3, 4, 5, 6], read: 3, stateAt: null });
    expect(slots.findPrefix([1, 2, 3, 4, 5, 7, 7], 'a', 2, RULES, false)).toEqual({ donor: 1, tokens: 3 });
    slots.advance(1, { read: 6, stateAt: null });
    expect(slots.findPrefix([1, 2, 3, 4, 5, 7, 7], 'a', 2, RULES, false)).toEqual({ donor: 1, tokens: 5 });
    expect(slots.findPrefix([1, 2, 3, 4, 5, 7, 7], 'b', 2, RULES, false)).toBeNull();
  });

  it('knows which free slot was not used for longest', () => {
    const slots = table([1], [2], [3], [4]);
    expect(slots.leastRecentlyUsed(1)).toBe(1);
    slots.touch(1);
    expect(slots.leastRecentlyUsed(1)).toBe(2);
    slots.copy(0, 2);
    expect(slots.content(2).tokens).toEqual([1]);
  });
});
