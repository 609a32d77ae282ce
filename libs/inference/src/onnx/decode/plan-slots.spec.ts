import { describe, expect, it } from 'vitest';
import { planSlots, type SlotDemand, type SlotSupply } from './plan-slots.js';
import { stepSizes } from './step-sizes.js';

const SLOTS = { past: 'slots', maxRows: 8, stepSizes: null } as const;
const HOLES = { ...SLOTS, past: 'holes' } as const;
const ON_DEVICE = { ...SLOTS, stepSizes: stepSizes(8) };

/** One byte a column, and memory for 1024 of them. */
const SUPPLY: SlotSupply = { rules: SLOTS, maxBatch: 8, kvCacheBytes: 1024, slotBytes: (width) => width, open: null };
const DEMAND: SlotDemand = { tokens: 100, widths: [128], leastRows: 1 };

describe('planSlots', () => {
  it.each<[string, Partial<SlotDemand>, Partial<SlotSupply>, object | 'keep']>([
    ['as many slots as the memory gives', {}, {}, { slots: 8, width: 128 }],
    ['no more than a step has rows', { widths: [64] }, {}, { slots: 8, width: 64 }],
    ['the width of all who can share them', { widths: [128, 256, 64] }, {}, { slots: 4, width: 256 }],
    ['the width of those who are decoded together', { widths: [128, 512, 1024] }, { maxBatch: 2 }, { slots: 2, width: 512 }],
    ['the widest, where one is decoded at a time', { widths: [128, 512, 1024] }, { maxBatch: 1 }, { slots: 1, width: 1024 }],
    ['slots for the rows of a step', { widths: [128, 512, 1024], leastRows: 2 }, { maxBatch: 1 }, { slots: 2, width: 512 }],
    ['the width of the oldest alone where holes are masked', { widths: [128, 256] }, { rules: HOLES }, { slots: 8, width: 128 }],
    ['as many as a step has on a device', { widths: [160] }, { rules: ON_DEVICE }, { slots: 4, width: 160 }],
    [
      'no wider than the oldest needs, when it would not fit otherwise',
      { tokens: 300, widths: [512], leastRows: 3 },
      {},
      { slots: 3, width: 300 },
    ],
    ['what is open, when that is enough', {}, { open: { slots: 8, width: 128 } }, 'keep'],
    ['what is open, when it is wider', {}, { open: { slots: 8, width: 256 } }, 'keep'],
    ['others than wider ones where holes are masked', {}, { rules: HOLES, open: { slots: 8, width: 256 } }, { slots: 8, width: 128 }],
    ['others than narrower ones', {}, { open: { slots: 8, width: 64 } }, { slots: 8, width: 128 }],
    ['more than the few that are open', {}, { open: { slots: 4, width: 128 } }, { slots: 8, width: 128 }],
  ])('plans %s', (_, demand, supply, plan) => {
    expect(planSlots({ ...DEMAND, ...demand }, { ...SUPPLY, ...supply })).toEqual(plan);
  });

  it.each<[string, Partial<SlotDemand>, Partial<SlotSupply>, RegExp]>([
    ['the oldest alone is too long', { tokens: 1100, widths: [2048] }, {}, /take 1100 tokens.* are 1100 bytes; .* allows 1024/],
    ['a step needs more rows', { tokens: 300, widths: [512], leastRows: 4 }, {}, /take 300 tokens.* are 1200 bytes/],
    ['its width is not to be cut', { tokens: 1000, widths: [2048] }, { rules: HOLES }, /take 2048 tokens.* are 2048 bytes/],
  ])('refuses, for good, when %s', (_, demand, supply, message) => {
    const plan = planSlots({ ...DEMAND, ...demand }, { ...SUPPLY, ...supply });
    expect(plan).toEqual({ code: 'out_of_memory', retryable: false, message: expect.stringMatching(message) });
  });
});
