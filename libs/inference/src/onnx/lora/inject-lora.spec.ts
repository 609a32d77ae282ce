import { describe, expect, it } from 'vitest';
import { buildDecoderGraph } from '../../testing/graphs/decoder-graph.js';
import { newTensor } from '../graph/new-tensor.js';
import { newValue } from '../graph/new-value.js';
import { ElementType, encodeOnnx, type OnnxModel, parseOnnx } from '../graph/onnx-model.js';
import { textField, varintField } from '../graph/protobuf-writer.js';
import { injectLora } from './inject-lora.js';

const KEY = 'layers.0.attn.q_proj';
const MODEL: OnnxModel = {
  header: [varintField(1, 8), textField(2, 'exporter')],
  nodes: [
    {
      name: '/model/layers.0/attn/q_proj/MatMul',
      opType: 'MatMul',
      domain: '',
      inputs: ['x', 'w'],
      outputs: ['y'],
      rest: [textField(6, 'a note')],
    },
    { name: '/model/layers.0/act', opType: 'Softmax', domain: '', inputs: ['y'], outputs: ['z'], rest: [] },
  ],
  initializers: [newTensor('w', [3, 4], ElementType.float32, new Float32Array(12))],
  inputs: [newValue('x', ElementType.float32, ['n', 3])],
  outputs: [newValue('z', ElementType.float32, ['n', 4])],
  rest: [textField(2, 'graph')],
};

describe('injectLora', () => {
  it('adds the branch beside the projection and leaves its output its name', () => {
    const { model, sites } = injectLora(MODEL, new Set([KEY]), 'overridable');
    expect(model.nodes.map(({ opType, inputs, outputs }) => `${opType}(${inputs}) -> ${outputs}`)).toMatchInlineSnapshot(`
      [
        "MatMul(x,w) -> /kiln/lora/layers.0.attn.q_proj/base",
        "MatMul(x,kiln.lora.layers.0.attn.q_proj.a) -> /kiln/lora/layers.0.attn.q_proj/down/out",
        "MatMul(/kiln/lora/layers.0.attn.q_proj/down/out,kiln.lora.layers.0.attn.q_proj.b) -> /kiln/lora/layers.0.attn.q_proj/up/out",
        "Add(/kiln/lora/layers.0.attn.q_proj/base,/kiln/lora/layers.0.attn.q_proj/up/out) -> y",
        "Softmax(y) -> z",
      ]
    `);
    expect(sites.map(({ key }) => key)).toEqual([KEY]);
    expect(model.inputs.map(({ name, dims }) => `${name} [${dims}]`)).toEqual([
      'x [,3]',
      'kiln.lora.layers.0.attn.q_proj.a [3,]',
      'kiln.lora.layers.0.attn.q_proj.b [,4]',
    ]);
    expect(model.initializers.slice(1).map(({ dims }) => dims)).toEqual([
      [3, 0],
      [0, 4],
    ]);
    expect(model.nodes[0]?.rest).toEqual(MODEL.nodes[0]?.rest);
    expect([model.header, model.rest]).toEqual([MODEL.header, MODEL.rest]);
    expect(MODEL.nodes).toHaveLength(2);
  });

  it('without defaults, demands its inputs', () => {
    const { model } = injectLora(MODEL, new Set([KEY]), 'required');
    expect(model.inputs).toHaveLength(3);
    expect(model.initializers).toBe(MODEL.initializers);
  });

  it('touches only what it is asked for', () => {
    const { model, sites } = injectLora(MODEL, new Set(['layers.1.attn.q_proj']), 'overridable');
    expect(sites).toEqual([]);
    expect(Buffer.compare(encodeOnnx(model), encodeOnnx(MODEL))).toBe(0);
  });

  it('gives every site a rank of its own, and every node a name of its own', () => {
    const base = buildDecoderGraph();
    const { model, sites } = injectLora(base, new Set(['layers.0.mlp.up_proj', 'layers.1.attn.o_proj', 'lm_head']), 'overridable');
    expect(sites).toHaveLength(3);
    const again = parseOnnx(encodeOnnx(model));
    expect(new Set(again.nodes.map(({ name }) => name)).size).toBe(base.nodes.length + 9);
    const texts = again.inputs.map(({ bytes }) => Buffer.from(bytes).toString('latin1'));
    expect(texts.filter((text) => text.includes('kiln.lora.layers.0.mlp.up_proj.rank'))).toHaveLength(2);
  });

  it('does not make the weights of an old file overridable', () => {
    const old: OnnxModel = {
      ...MODEL,
      header: [varintField(1, 3), textField(2, 'exporter')],
      inputs: [...MODEL.inputs, newValue('w', ElementType.float32, [3, 4])],
    };
    const { model } = injectLora(old, new Set([KEY]), 'overridable');
    expect(model.header).toEqual([varintField(1, 4), textField(2, 'exporter')]);
    expect(model.inputs.map(({ name }) => name)).not.toContain('w');
  });
});
