import { type PeftAdapter } from '../../onnx/lora/peft-adapter.js';

export interface DecoderShape {
  layers: number;
  hidden: number;
  heads: number;
  kvHeads: number;
  headSize: number;
  feedForward: number;
  vocabulary: number;
  /** Most positions; rows of the rotary table. */
  positions: number;
}

export interface DecoderGraphOptions {
  shape: DecoderShape;
  attention: 'gqa' | 'plain';
  type: 'float32' | 'float16';
  /** Projections in blocks of 4 or 8 bits (MatMulNBits), or in 8 bits with activations that are rounded over the whole tensor (`dynamic`). */
  quantisation: { accuracyLevel: 0 | 4; bits?: 4 | 8 } | 'dynamic' | null;
  /** Every other layer has convolution and recurrent state in place of attention. */
  hybrid: boolean;
  /** Which positions' logits are computed: all, or as many as the input of this name says. */
  logits: 'all' | 'num_logits_to_keep' | 'logits_to_keep';
  /** How projections are written, each as one exporter does it. */
  projections: 'MatMul' | 'optimum' | 'Transpose' | 'Gemm' | 'FusedMatMul' | 'qkv';
  /** Of cache and state: `past_key_values.0.key`, `past_conv.0`; `past.0.key`, `past.0.conv`; or names of no pattern. */
  cacheNames: 'huggingface' | 'genai' | 'custom';
  /** position_ids [3, batch, length] (plain attention only). */
  positionPlanes: boolean;
  seed: number;
  /** Merged into the weights. */
  merged: PeftAdapter | null;
}

/** 0.1 M parameters, and the vocabulary of the tokenizer of `tiny-arith`. */
export const TINY_SHAPE: DecoderShape = {
  layers: 2,
  hidden: 64,
  heads: 4,
  kvHeads: 2,
  headSize: 16,
  feedForward: 128,
  vocabulary: 512,
  positions: 256,
};

/** 125 M parameters. */
export const MID_SHAPE: DecoderShape = {
  layers: 12,
  hidden: 768,
  heads: 12,
  kvHeads: 4,
  headSize: 64,
  feedForward: 2048,
  vocabulary: 32_000,
  positions: 4096,
};

export const DEFAULT_GRAPH: DecoderGraphOptions = {
  shape: TINY_SHAPE,
  attention: 'gqa',
  type: 'float32',
  quantisation: null,
  hybrid: false,
  logits: 'num_logits_to_keep',
  projections: 'MatMul',
  cacheNames: 'huggingface',
  positionPlanes: false,
  seed: 1,
  merged: null,
};
