import { describe, expect, it } from 'vitest';
import { moduleKey, namesModule } from './module-path.js';

describe('moduleKey', () => {
  it.each([
    ['model.layers.0.self_attn.q_proj', 'layers.0.attn.q_proj'],
    ['/model/layers.0/attn/q_proj/MatMul', 'layers.0.attn.q_proj'],
    ['/model/layers.11/self_attn/q_proj/MatMul_Q4', 'layers.11.attn.q_proj'],
    ['/model/layers.3/mlp/down_proj/MatMulNBits', 'layers.3.mlp.down_proj'],
    ['model.layers.0.attn.q_proj.MatMul.weight', 'layers.0.attn.q_proj'],
    ['model.layers.0.attn.q_proj.MatMul.weight_Q4', 'layers.0.attn.q_proj'],
    ['model.layers.0.self_attn.q_proj.weight', 'layers.0.attn.q_proj'],
    ['model.layers.0.attn.q_proj.MatMul.qweight', 'layers.0.attn.q_proj'],
    ['model.language_model.layers.2.linear_attn.in_proj_qkv', 'layers.2.linear_attn.in_proj_qkv'],
    ['language_model.model.layers.2.mlp.up_proj', 'layers.2.mlp.up_proj'],
    ['/lm_head/MatMul', 'lm_head'],
    ['vision_tower.layers.2.mlp.up_proj', 'vision_tower.layers.2.mlp.up_proj'],
  ])('%s', (name, key) => {
    expect(moduleKey(name)).toBe(key);
  });

  it('knows names that say nothing', () => {
    for (const name of ['onnx::MatMul_880', 'node_MatMul_12', 'n12', '', 'val_3']) expect(namesModule(name)).toBe(false);
    for (const name of ['/model/layers.0/attn/q_proj/MatMul', '/lm_head/MatMul', 'model.layers.0.mlp.up_proj.weight'])
      expect(namesModule(name)).toBe(true);
  });
});
