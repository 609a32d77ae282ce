import { describe, expect, it } from 'vitest';
import { detectDecoderLayout, type Port } from '../decoder-layout.js';
import { type GraphOperators } from '../graph-operators.js';
import { type DecodeRules, decodeRules } from './decode-rules.js';

const port = (name: string, type: string, ...shape: (number | string)[]): Port => ({ name, type, shape });
const POSITIONS = port('position_ids', 'int64', 'b', 's');

function layout(operators: Partial<GraphOperators>, ...more: Port[]) {
  const inputs = [port('input_ids', 'int64', 'b', 's'), ...['key', 'value'].map((side) => cache('past_key_values', side)), ...more];
  const outputs = [port('logits', 'float32', 'b', 's', 512), ...['key', 'value'].map((side) => cache('present', side))];
  const plain = { attention: 'plain', inPlacePairs: new Map(), quantisation: null, rowsInteract: false, rotaryPositions: null } as const;
  return detectDecoderLayout(inputs, outputs, { ...plain, ...operators });
}

function cache(name: string, side: string): Port {
  return port(`${name}.0.${side}`, 'float32', 'b', 2, 'columns', 32);
}

const GROUPED = layout({ attention: 'gqa' });
const IN_PARTS = layout({}, POSITIONS);
const COUNTING = layout({});
const ROUNDED = layout({ attention: 'gqa', rowsInteract: true });
const ONE_ROW = { maxRows: 1, stepSizes: null, masksWholeSlots: false };

describe('decodeRules', () => {
  it.each<[string, typeof GROUPED, Partial<DecodeRules>, Partial<DecodeRules>]>([
    [
      'GroupQueryAttention',
      GROUPED,
      { past: 'slots', maxRows: 8, stepSizes: null, masksWholeSlots: false },
      { past: 'slots', maxRows: 8, stepSizes: [1, 2, 3, 4, 8], masksWholeSlots: true },
    ],
    [
      'attention in parts, whose masks have holes',
      IN_PARTS,
      { past: 'holes', maxRows: 8, stepSizes: null, masksWholeSlots: false },
      { past: 'holes', maxRows: 8, stepSizes: [1, 2, 3, 4, 8], masksWholeSlots: false },
    ],
    ['a graph that counts by itself', COUNTING, { past: 'exact', ...ONE_ROW }, { past: 'exact', ...ONE_ROW }],
    ['rounded activations', ROUNDED, { past: 'slots', ...ONE_ROW }, { past: 'slots', ...ONE_ROW }],
  ])('shapes steps and masks on the CPU and on a device: %s', (_, of, onCpu, onDevice) => {
    expect(decodeRules(of, { onDevice: false, maxBatch: 8 })).toMatchObject(onCpu);
    expect(decodeRules(of, { onDevice: true, maxBatch: 8 })).toMatchObject(onDevice);
  });

  it('has two rows where one sample is decoded at a time: an adapter needs them', () => {
    expect(decodeRules(GROUPED, { onDevice: false, maxBatch: 1 }).maxRows).toBe(2);
    expect(decodeRules(GROUPED, { onDevice: true, maxBatch: 1 }).stepSizes).toEqual([1, 2]);
  });
});
