import { describe, expect, it } from 'vitest';
import { buildDecoderGraph } from '../testing/graphs/decoder-graph.js';
import { newNode } from './graph/attributes.js';
import { type OnnxNode } from './graph/onnx-model.js';
import { describeOperators } from './graph-operators.js';

const withNode = (node: OnnxNode) => {
  const model = buildDecoderGraph();
  return describeOperators({ ...model, nodes: [...model.nodes, node] });
};

describe('describeOperators', () => {
  it('tells grouped attention, its cache pairs and its rotary table', () => {
    const operators = describeOperators(buildDecoderGraph());
    expect(operators).toMatchObject({ attention: 'gqa', quantisation: null, rowsInteract: false, rotaryPositions: 256 });
    expect([...operators.inPlacePairs].slice(0, 2)).toEqual([
      ['past_key_values.0.key', 'present.0.key'],
      ['past_key_values.0.value', 'present.0.value'],
    ]);
    expect(describeOperators(buildDecoderGraph({ attention: 'plain' }))).toMatchObject({ attention: 'plain', rotaryPositions: null });
  });

  it('reads the accuracy levels of quantised weights; none stated is level 0', () => {
    const level = (accuracyLevel: 0 | 4) => buildDecoderGraph({ quantisation: { accuracyLevel } });
    expect(describeOperators(level(4)).quantisation).toEqual({ bits: [4], accuracyLevels: [4] });
    const mixed = { ...level(4), nodes: [...level(4).nodes, newNode('n', 'com.microsoft.MatMulNBits', [], [], { bits: 8 })] };
    expect(describeOperators(mixed).quantisation).toEqual({ bits: [4, 8], accuracyLevels: [0, 4] });
  });

  it('notices that activations are quantised over all rows', () => {
    expect(withNode(newNode('q', 'DynamicQuantizeLinear', ['x'], ['a', 'b', 'c'])).rowsInteract).toBe(true);
  });

  it.each([
    [newNode('n', 'com.microsoft.PagedAttention', [], []), /PagedAttention \(node n\): its results are not reproducible/],
    [newNode('n', 'com.microsoft.SparseAttention', [], []), /SparseAttention/],
    [newNode('n', 'com.microsoft.BeamSearch', [], []), /decodes by itself/],
    [newNode('n', 'Multinomial', [], []), /random numbers/],
    [newNode('n', 'com.vendor.FastThing', [], []), /FastThing of the domain com\.vendor/],
  ])('refuses %#', (node, message) => {
    expect(() => withNode(node)).toThrow(message);
  });
});
