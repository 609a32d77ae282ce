import { describe, expect, it } from 'vitest';
import { buildDecoderGraph } from '../../testing/graphs/decoder-graph.js';
import { type DecoderGraphOptions } from '../../testing/graphs/decoder-graph-options.js';
import { newNode } from '../graph/attributes.js';
import { newTensor } from '../graph/new-tensor.js';
import { ElementType, type OnnxModel, type OnnxNode } from '../graph/onnx-model.js';
import { checkAdapterTargets, findLoraSites } from './lora-sites.js';
import { type LoraUpdate, type PeftAdapter } from './peft-adapter.js';

const sitesOf = (over: Partial<DecoderGraphOptions> = {}) => findLoraSites(buildDecoderGraph(over));

function adapter(path: string, inFeatures = 64, outFeatures = 64): PeftAdapter {
  const update: LoraUpdate = {
    rank: 1,
    inFeatures,
    outFeatures,
    scale: 1,
    a: new Float32Array(inFeatures),
    b: new Float32Array(outFeatures),
  };
  return new Map([[path, update]]);
}

/** A graph of one node with the constants w [3, 4] and s [1], and what else it needs. */
function single(node: OnnxNode, ...before: OnnxNode[]): OnnxModel {
  const w = newTensor('w', [3, 4], ElementType.float32, new Float32Array(12));
  const s = newTensor('s', [1], ElementType.float16, new Float32Array(1));
  return { header: [], nodes: [...before, node], initializers: [w, s], inputs: [], outputs: [], rest: [] };
}
const NAME = '/model/layers.0/mlp/up_proj/X';
const site = (model: OnnxModel) => {
  const { sites, unfit } = findLoraSites(model);
  return sites.get('layers.0.mlp.up_proj') ?? unfit.get('layers.0.mlp.up_proj');
};

describe('findLoraSites', () => {
  const styles = ['MatMul', 'optimum', 'Transpose', 'Gemm', 'FusedMatMul'] as const;
  it.each(styles)('finds the same projections in graphs written as %s', (projections) => {
    const { sites, unfit } = sitesOf({ projections, attention: 'plain' });
    expect([...sites.keys()].toSorted()).toEqual([...sitesOf().sites.keys()].toSorted());
    expect(sites.size).toBe(15);
    expect(unfit.size).toBe(0);
    expect(sites.get('layers.1.attn.k_proj')).toEqual({
      key: 'layers.1.attn.k_proj',
      a: 'kiln.lora.layers.1.attn.k_proj.a',
      b: 'kiln.lora.layers.1.attn.k_proj.b',
      inFeatures: 64,
      outFeatures: 32,
      type: 'float32',
    });
  });

  it('takes the activations’ type from quantised weights’ scales, and from casts', () => {
    const quantised = sitesOf({ quantisation: { accuracyLevel: 4 }, type: 'float16' }).sites;
    expect(quantised.get('layers.0.mlp.down_proj')).toMatchObject({ inFeatures: 128, outFeatures: 64, type: 'float16' });
    const cast = newNode('c', 'Cast', ['w'], ['half'], { to: ElementType.float16 });
    expect(site(single(newNode(NAME, 'MatMul', ['x', 'half'], ['y']), cast))).toMatchObject({
      inFeatures: 3,
      outFeatures: 4,
      type: 'float16',
    });
    const dequantised = newNode('d', 'DequantizeLinear', ['w', 's'], ['half']);
    expect(site(single(newNode(NAME, 'MatMul', ['x', 'half'], ['y']), dequantised))).toMatchObject({ type: 'float16' });
  });

  it('turns with every transposition', () => {
    const turned = newNode('t', 'Transpose', ['w'], ['t'], { perm: [1, 0] });
    expect(site(single(newNode(NAME, 'MatMul', ['x', 't'], ['y']), turned))).toMatchObject({ inFeatures: 4, outFeatures: 3 });
    expect(site(single(newNode(NAME, 'Gemm', ['x', 't'], ['y'], { transB: 1 }), turned))).toMatchObject({ inFeatures: 3, outFeatures: 4 });
  });

  it('takes products of activations, and cycles, for no projections', () => {
    expect(site(single(newNode(NAME, 'MatMul', ['x', 'k'], ['y'])))).toBeUndefined();
    expect(site(single(newNode(NAME, 'MatMul', ['x', 'i'], ['y']), newNode('i', 'Identity', ['i'], ['i'])))).toBeUndefined();
  });

  it.each([
    [newNode(NAME, 'Gemm', ['x', 'w'], ['y'], { alpha: { float: 2 } }), /scales/],
    [newNode(NAME, 'FusedMatMul', ['x', 'w'], ['y'], { transA: 1 }), /transposes/],
    [newNode(NAME, 'MatMulInteger', ['x', 'w'], ['y']), /rounded activations/],
  ])('says why a projection can take no adapter %#', (node, reason) => {
    expect(site(single(node))).toMatch(reason);
  });

  it('refuses activations of other types, and two projections of one name', () => {
    const brain = newNode('c', 'Cast', ['w'], ['brain'], { to: ElementType.bfloat16 });
    expect(site(single(newNode(NAME, 'MatMul', ['x', 'brain'], ['y']), brain))).toMatch(/element type 16/);
    const same = [newNode(NAME, 'MatMul', ['x', 'w'], ['y']), newNode(`${NAME}_1`, 'MatMul', ['x', 'w'], ['z'])] as const;
    expect(site(single(...same))).toMatch(/several projections/);
  });
});

describe('checkAdapterTargets', () => {
  const Q = 'model.layers.0.self_attn.q_proj';

  it('gives the keys of what fits', () => {
    expect([...checkAdapterTargets(adapter(Q), sitesOf())]).toEqual(['layers.0.attn.q_proj']);
  });

  it.each<[string, PeftAdapter, Partial<DecoderGraphOptions>, RegExp]>([
    ['an unknown target', adapter('model.layers.0.mlp.fc1'), {}, /targets model\.layers\.0\.mlp\.fc1, which the graph does not have/],
    ['a layer too many', adapter('model.layers.7.self_attn.q_proj'), {}, /layers\.7\.self_attn\.q_proj/],
    ['another shape', adapter(Q, 32), {}, /64 x 64 in the model, but 32 x 64/],
    ['fused projections', adapter(Q), { projections: 'qkv' }, /only fused into layers\.0\.attn\.qkv_proj/],
    ['one projection under two names', new Map([...adapter(Q), ...adapter('layers.0.attn.q_proj')]), {}, /twice/],
  ])('refuses %s', (_, update, graph, reason) => {
    expect(() => checkAdapterTargets(update, sitesOf(graph))).toThrow(reason);
  });
});
