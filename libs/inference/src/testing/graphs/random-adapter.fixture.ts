import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toHalf } from '../../onnx/graph/half-float.js';
import { writeSafetensors } from '../write-safetensors.fixture.js';
import { type DecoderShape } from './decoder-graph-options.js';
import { randomWeights } from './random-weights.js';

export const ALL_TARGETS = ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'];

export interface RandomAdapterOptions {
  rank?: number;
  targets?: string[];
  seed?: number;
  dtype?: 'F32' | 'F16' | 'BF16';
  /** Further fields of adapter_config.json, and ranks of single modules. */
  config?: Record<string, unknown> & { rank_pattern?: Record<string, number> };
}

/** Writes a PEFT directory with random updates of all layers, large enough to change what the model says. */
export async function writeRandomAdapter(path: string, shape: DecoderShape, options: RandomAdapterOptions = {}): Promise<void> {
  const { rank = 8, targets = ALL_TARGETS, seed = 5, dtype = 'F32', config = {} } = options;
  const tensors: Parameters<typeof writeSafetensors>[0] = {};
  for (let layer = 0; layer < shape.layers; layer++) {
    for (const target of targets) {
      const [inFeatures, outFeatures] = sizes(shape, target);
      const module = `model.layers.${layer}.${/^(gate|up|down)/.test(target) ? 'mlp' : 'self_attn'}.${target}`;
      const [, ownRank] = Object.entries(config.rank_pattern ?? {}).find(([suffix]) => module.endsWith(suffix)) ?? [];
      const r = ownRank ?? rank;
      const add = (side: string, dims: number[], deviation: number) => {
        const values = randomWeights(seed, `${module}.${side}`, dims[0]! * dims[1]!, deviation);
        tensors[`base_model.model.${module}.lora_${side}.weight`] = { dtype, shape: dims, bytes: encode(values, dtype) };
      };
      add('A', [r, inFeatures], 1 / Math.sqrt(inFeatures));
      add('B', [outFeatures, r], 0.2 / Math.sqrt(r));
    }
  }
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'adapter_model.safetensors'), writeSafetensors(tensors));
  const plain = { peft_type: 'LORA', r: rank, lora_alpha: 2 * rank, target_modules: targets, bias: 'none', use_dora: false };
  await writeFile(join(path, 'adapter_config.json'), JSON.stringify({ ...plain, ...config }));
}

function sizes({ hidden, heads, kvHeads, headSize, feedForward }: DecoderShape, target: string): [inFeatures: number, outFeatures: number] {
  switch (target) {
    case 'q_proj':
      return [hidden, heads * headSize];
    case 'k_proj':
    case 'v_proj':
      return [hidden, kvHeads * headSize];
    case 'o_proj':
      return [heads * headSize, hidden];
    case 'down_proj':
      return [feedForward, hidden];
    default:
      return [hidden, feedForward];
  }
}

function encode(values: Float32Array, dtype: 'F32' | 'F16' | 'BF16'): Uint8Array {
  if (dtype === 'F32') return new Uint8Array(values.buffer);
  if (dtype === 'F16') return new Uint8Array(Uint16Array.from(values, toHalf).buffer);
  const bits = new Uint32Array(values.buffer);
  return new Uint8Array(Uint16Array.from(bits, (word) => word >>> 16).buffer);
}
