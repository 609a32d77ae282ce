import { describe, expect, it } from 'vitest';
import { AdapterError, readPeftAdapter } from './peft-adapter.js';
import { type SafeTensor } from './safetensors.js';

const Q = 'model.layers.0.self_attn.q_proj';
const CONFIG = { peft_type: 'LORA', r: 2, lora_alpha: 8, bias: 'none', use_dora: false, modules_to_save: null };

function tensors(rank = 2, path = Q): Map<string, SafeTensor> {
  return new Map([
    [`base_model.model.${path}.lora_A.weight`, { shape: [rank, 3], values: new Float32Array(rank * 3) }],
    [`base_model.model.${path}.lora_B.weight`, { shape: [4, rank], values: new Float32Array(rank * 4) }],
  ]);
}

describe('readPeftAdapter', () => {
  it('reads rank, shape and scale', () => {
    expect(readPeftAdapter(CONFIG, tensors()).get(Q)).toMatchObject({ rank: 2, inFeatures: 3, outFeatures: 4, scale: 4 });
  });

  it('takes the name of the adapter out of tensor names', () => {
    const named = new Map([...tensors()].map(([name, tensor]) => [name.replace('.weight', '.default.weight'), tensor]));
    expect([...readPeftAdapter(CONFIG, named).keys()]).toEqual([Q]);
  });

  it('scales by the root of the rank for rank-stabilised LoRA', () => {
    expect(readPeftAdapter({ ...CONFIG, use_rslora: true }, tensors()).get(Q)?.scale).toBe(8 / Math.SQRT2);
  });

  it('applies patterns to the end of the path', () => {
    const config = {
      ...CONFIG,
      rank_pattern: { 'layers.1.self_attn.q_proj': 9, q_proj: 4 },
      alpha_pattern: { 'layers\\.\\d+\\.self_attn\\.q_proj': 2 },
    };
    expect(readPeftAdapter(config, tensors(4)).get(Q)).toMatchObject({ rank: 4, scale: 0.5 });
  });

  it.each([
    ['DoRA', { use_dora: true }, /use_dora/],
    ['biases', { bias: 'lora_only' }, /bias is set/],
    ['saved modules', { modules_to_save: ['lm_head'] }, /modules_to_save/],
    ['transposed weights', { fan_in_fan_out: true }, /fan_in_fan_out/],
    ['another method', { peft_type: 'IA3' }, /peft_type is "IA3"/],
    ['another rank', { r: 16 }, /rank 2, but the configuration says 16/],
    ['no alpha', { lora_alpha: undefined }, /lora_alpha/],
    ['a bad pattern', { rank_pattern: { '(': 1 } }, /not a regular expression/],
  ])('refuses %s', (_, over, message) => {
    expect(() => readPeftAdapter({ ...CONFIG, ...over }, tensors())).toThrow(message);
  });

  it('refuses tensors that it would have to ignore', () => {
    const extra = tensors().set('base_model.model.lm_head.weight', { shape: [1], values: new Float32Array(1) });
    expect(() => readPeftAdapter(CONFIG, extra)).toThrow(/tensor base_model\.model\.lm_head\.weight/);
    const magnitude = tensors().set(`base_model.model.${Q}.lora_magnitude_vector`, { shape: [4], values: new Float32Array(4) });
    expect(() => readPeftAdapter(CONFIG, magnitude)).toThrow(AdapterError);
  });

  it('refuses half an update and sides that do not fit', () => {
    const [first] = tensors();
    expect(() => readPeftAdapter(CONFIG, new Map([first!]))).toThrow(/only one of lora_A and lora_B/);
    const misfit = tensors().set(`base_model.model.${Q}.lora_B.weight`, { shape: [4, 3], values: new Float32Array(12) });
    expect(() => readPeftAdapter(CONFIG, misfit)).toThrow(/do not fit/);
    expect(() => readPeftAdapter(CONFIG, new Map())).toThrow(/no LoRA tensors/);
    expect(() => readPeftAdapter(null, tensors())).toThrow(/not an object/);
  });
});
