import { describe, expect, it } from 'vitest';
import { readGenaiConfig } from './genai-config.js';

/** As the model builder writes it for a Phi model, shortened. */
const CONFIG = {
  model: {
    context_length: 4096,
    decoder: {
      session_options: { log_id: 'onnxruntime-genai', provider_options: [] },
      filename: 'phi.onnx',
      inputs: {
        input_ids: 'input_ids',
        attention_mask: 'attention_mask',
        past_key_names: 'past_key_%d',
        past_value_names: 'past_value_%d',
      },
      outputs: { logits: 'logits', present_key_names: 'present_key_%d', present_value_names: 'present_value_%d' },
    },
    eos_token_id: [32000, 32007],
  },
};
const withModel = (over: object) => ({ model: { ...CONFIG.model, ...over } });
const withDecoder = (over: object) => withModel({ decoder: { ...CONFIG.model.decoder, ...over } });

describe('readGenaiConfig', () => {
  it('reads graph, names, end tokens and context', () => {
    const config = readGenaiConfig(CONFIG);
    expect(config).toMatchObject({ graph: 'phi.onnx', endTokens: [32000, 32007], contextTokens: 4096 });
    expect(config.names.cacheRole('past_value_12')).toEqual({ time: 'past', layer: 12, kind: 'value' });
    expect(config.names.cacheRole('present_key_0')).toEqual({ time: 'present', layer: 0, kind: 'key' });
    expect(config.names.cacheRole('past_value_x')).toBeNull();
  });

  it('tells a single end token, and does without', () => {
    expect(readGenaiConfig(withModel({ eos_token_id: 2 })).endTokens).toEqual([2]);
    expect(readGenaiConfig({})).toMatchObject({ graph: 'model.onnx', endTokens: [], contextTokens: null });
  });

  it.each([
    ['a pipeline', withDecoder({ pipeline: [{ embed: {} }] }), /pipeline/],
    ['a vision graph', withModel({ vision: { filename: 'vision.onnx' } }), /vision beside the decoder/],
    ['an embedding graph', withModel({ embedding: { filename: 'embedding.onnx' } }), /embedding beside/],
    ['an encoder', withModel({ encoder: { filename: 'encoder.onnx' } }), /encoder beside/],
    ['a library of operators', withDecoder({ session_options: { custom_ops_library: 'npu.dll' } }), /npu\.dll/],
  ])('refuses %s', (_, config, message) => {
    expect(() => readGenaiConfig(config)).toThrow(message);
  });
});
