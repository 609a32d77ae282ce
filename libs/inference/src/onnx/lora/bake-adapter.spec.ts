import { describe, expect, it } from 'vitest';
import { ElementType, type OnnxModel } from '../graph/onnx-model.js';
import { newTensor } from '../graph/new-tensor.js';
import { bakeAdapter } from './bake-adapter.js';
import { type LoraUpdate, type PeftAdapter } from './peft-adapter.js';

const MODEL: OnnxModel = {
  header: [],
  nodes: [
    { name: '/model/layers.0/attn/q_proj/MatMul', opType: 'MatMul', domain: '', inputs: ['x', 'w'], outputs: ['y'], rest: [] },
    { name: '/model/layers.0/attn/qkv/MatMul', opType: 'Softmax', domain: '', inputs: ['y'], outputs: ['z'], rest: [] },
  ],
  initializers: [newTensor('w', [3, 4], ElementType.float32, new Float32Array(12))],
  inputs: [],
  outputs: [],
  rest: [],
};

const UPDATE: LoraUpdate = {
  rank: 1,
  inFeatures: 3,
  outFeatures: 4,
  scale: 2,
  a: Float32Array.of(1, 2, 3),
  b: Float32Array.of(1, 2, 3, 4),
};

const adapter = (path: string, over: Partial<LoraUpdate> = {}): PeftAdapter => new Map([[path, { ...UPDATE, ...over }]]);

describe('bakeAdapter', () => {
  it('adds the branch beside the projection and leaves its output its name', () => {
    const baked = bakeAdapter(MODEL, adapter('model.layers.0.self_attn.q_proj'), ElementType.float32);
    expect(baked.nodes.map(({ opType, inputs, outputs }) => `${opType}(${inputs}) -> ${outputs}`)).toMatchInlineSnapshot(`
      [
        "MatMul(x,w) -> /kiln/lora/model.layers.0.self_attn.q_proj/base",
        "MatMul(x,/kiln/lora/model.layers.0.self_attn.q_proj/A) -> /kiln/lora/model.layers.0.self_attn.q_proj/down/out",
        "MatMul(/kiln/lora/model.layers.0.self_attn.q_proj/down/out,/kiln/lora/model.layers.0.self_attn.q_proj/B) -> /kiln/lora/model.layers.0.self_attn.q_proj/up/out",
        "Add(/kiln/lora/model.layers.0.self_attn.q_proj/base,/kiln/lora/model.layers.0.self_attn.q_proj/up/out) -> y",
        "Softmax(y) -> z",
      ]
    `);
    expect(baked.initializers.slice(1).map(({ dims }) => dims)).toEqual([
      [3, 1],
      [1, 4],
    ]);
    expect(MODEL.nodes).toHaveLength(2);
  });

  it('names a target that is missing, or is no projection', () => {
    expect(() => bakeAdapter(MODEL, adapter('model.layers.7.self_attn.q_proj'), 1)).toThrow(/targets model\.layers\.7\.self_attn\.q_proj/);
    expect(() => bakeAdapter(MODEL, adapter('model.layers.0.self_attn.qkv'), 1)).toThrow(/qkv/);
  });

  it('names a target of another shape', () => {
    const wide = adapter('model.layers.0.self_attn.q_proj', { inFeatures: 5, a: new Float32Array(5) });
    expect(() => bakeAdapter(MODEL, wide, 1)).toThrow(/3 x 4 in the model, but 5 x 4/);
  });
});
