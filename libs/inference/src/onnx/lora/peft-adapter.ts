import { type SafeTensor } from './safetensors.js';

/** The adapter cannot be applied; the message names what and why. */
export class AdapterError extends Error {
  override readonly name = 'AdapterError';
}

/** The update of one projection: y += (x A^T) B^T * scale. */
export interface LoraUpdate {
  rank: number;
  inFeatures: number;
  outFeatures: number;
  /** alpha / rank, or alpha / sqrt(rank) for rank-stabilised LoRA. */
  scale: number;
  /** [rank, in], row-major. */
  a: Float32Array;
  /** [out, rank], row-major. */
  b: Float32Array;
}

/** Updates by module path, such as `model.layers.0.self_attn.q_proj`. */
export type PeftAdapter = ReadonlyMap<string, LoraUpdate>;

const TENSOR_NAME = /^base_model\.model\.(?<path>.+)\.lora_(?<side>[AB])(?:\.[^.]+)?\.weight$/;

/** Options that change what an adapter computes beyond plain LoRA, and the value with which they do nothing. */
const REFUSED_OPTIONS: readonly [option: string, harmless: (value: unknown) => boolean, what: string][] = [
  ['use_dora', isOff, 'DoRA'],
  ['bias', (value) => isOff(value) || value === 'none', 'trained biases'],
  ['lora_bias', isOff, 'biases on the low-rank matrices'],
  ['modules_to_save', isOff, 'fully trained modules'],
  ['fan_in_fan_out', isOff, 'transposed (fan_in_fan_out) weights'],
  ['trainable_token_indices', isOff, 'trained token embeddings'],
  ['layer_replication', isOff, 'replicated layers'],
  ['target_parameters', isOff, 'updates of bare parameters'],
  ['alora_invocation_tokens', isOff, 'activated LoRA'],
  ['use_qalora', isOff, 'QALoRA'],
  // These begin by changing the base model's weights; the adapter is a difference from those.
  ['init_lora_weights', (value) => !/^(pissa|olora|loftq|corda)/i.test(String(value)), 'initialisations that change the base weights'],
];

/**
 * Reads a PEFT adapter from its `adapter_config.json` and the tensors of its `adapter_model.safetensors`.
 * Ranks and alphas come from r, lora_alpha, rank_pattern, alpha_pattern; a rank that the tensors contradict is an error.
 * @throws AdapterError for anything that is not plain LoRA.
 */
export function readPeftAdapter(config: unknown, tensors: ReadonlyMap<string, SafeTensor>): PeftAdapter {
  if (typeof config !== 'object' || config === null) throw new AdapterError('adapter_config.json is not an object');
  const options = config as Record<string, unknown>;
  if (options['peft_type'] !== 'LORA')
    throw new AdapterError(`peft_type is ${JSON.stringify(options['peft_type'])}; only LORA is supported`);
  for (const [option, harmless, what] of REFUSED_OPTIONS) {
    if (!harmless(options[option]))
      throw new AdapterError(`${option} is set: ${what} are not supported; merge the adapter into the model instead`);
  }
  const sides = pairTensors(tensors);
  const adapter = new Map<string, LoraUpdate>();
  for (const [path, { A, B }] of sides) adapter.set(path, readUpdate(path, A, B, options));
  if (adapter.size === 0) throw new AdapterError('adapter_model.safetensors holds no LoRA tensors');
  return adapter;
}

function pairTensors(tensors: ReadonlyMap<string, SafeTensor>): Map<string, { A?: SafeTensor; B?: SafeTensor }> {
  const sides = new Map<string, { A?: SafeTensor; B?: SafeTensor }>();
  for (const [name, tensor] of tensors) {
    const groups = TENSOR_NAME.exec(name)?.groups;
    if (groups === undefined) throw new AdapterError(`tensor ${name} is not part of a plain LoRA update`);
    const pair = sides.get(groups['path']!) ?? {};
    pair[groups['side'] as 'A' | 'B'] = tensor;
    sides.set(groups['path']!, pair);
  }
  return sides;
}

function readUpdate(path: string, a: SafeTensor | undefined, b: SafeTensor | undefined, options: Record<string, unknown>): LoraUpdate {
  if (a === undefined || b === undefined) throw new AdapterError(`${path} has only one of lora_A and lora_B`);
  if (a.shape.length !== 2 || b.shape.length !== 2 || a.shape[0] !== b.shape[1]) {
    throw new AdapterError(`${path}: lora_A [${a.shape.join(', ')}] and lora_B [${b.shape.join(', ')}] do not fit`);
  }
  const [rank, inFeatures] = a.shape as [number, number];
  const expected = patternValue(options['rank_pattern'], path) ?? options['r'];
  if (expected !== rank) throw new AdapterError(`${path} has rank ${rank}, but the configuration says ${JSON.stringify(expected)}`);
  const alpha = patternValue(options['alpha_pattern'], path) ?? options['lora_alpha'];
  if (typeof alpha !== 'number' || !Number.isFinite(alpha)) throw new AdapterError(`lora_alpha of ${path} is ${JSON.stringify(alpha)}`);
  const scale = alpha / (options['use_rslora'] === true ? Math.sqrt(rank) : rank);
  return { rank, inFeatures, outFeatures: b.shape[0]!, scale, a: a.values, b: b.values };
}

/** PEFT matches a pattern's key, a regular expression, against the end of the path, at a dot. The first match wins. */
function patternValue(pattern: unknown, path: string): unknown {
  if (typeof pattern !== 'object' || pattern === null) return undefined;
  for (const [key, value] of Object.entries(pattern)) {
    let expression: RegExp;
    try {
      expression = new RegExp(`^(?:.*\\.)?(?:${key})$`);
    } catch (cause) {
      throw new AdapterError(`pattern ${JSON.stringify(key)} is not a regular expression`, { cause });
    }
    if (expression.test(path)) return value;
  }
  return undefined;
}

function isOff(value: unknown): boolean {
  return value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);
}
