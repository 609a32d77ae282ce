import { closeSync, openSync, writeSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { encodeOnnx } from '../../onnx/graph/onnx-model.js';
import { buildDecoderGraph } from './decoder-graph.js';
import { type DecoderGraphOptions, type DecoderShape, DEFAULT_GRAPH } from './decoder-graph-options.js';
import { type StoreWeight } from './graph-builder.js';

export interface GeneratedModelOptions {
  graph?: Partial<DecoderGraphOptions>;
  /** Which configuration files lie beside the graph. */
  layout?: 'huggingface' | 'genai';
  /** Within the directory. */
  graphFile?: string;
  /** Files for weights outside the graph, which are filled in turn; 0 = all in the graph. */
  dataFiles?: number;
  /** A directory with the tokenizer.json, tokenizer_config.json to take; its vocabulary is filled up to the graph's. */
  tokenizerFrom: string;
}

/** Tensors below this stay in the graph, as exporters do it. */
const SMALLEST_EXTERNAL = 1024;
const END_TOKENS = [2, 0];

/** Writes a whole model directory with a generated graph (about 3 s for 125 M parameters). */
export async function writeGeneratedModel(path: string, options: GeneratedModelOptions): Promise<void> {
  const { graph = {}, layout = 'huggingface', dataFiles = 0, tokenizerFrom } = options;
  const graphFile = options.graphFile ?? (layout === 'genai' ? 'model.onnx' : join('onnx', 'model.onnx'));
  const graphPath = join(path, graphFile);
  await mkdir(dirname(graphPath), { recursive: true });
  const weights = openWeightFiles(graphPath, dataFiles);
  try {
    await writeFile(graphPath, encodeOnnx(buildDecoderGraph(graph, weights.store)));
  } finally {
    weights.close();
  }
  const full = { ...DEFAULT_GRAPH, ...graph };
  if (layout === 'genai') await writeJson(path, 'genai_config.json', genaiConfig(full, basename(graphFile)));
  else {
    await writeJson(path, 'config.json', huggingFaceConfig(full.shape));
    await writeJson(path, 'generation_config.json', { eos_token_id: END_TOKENS, pad_token_id: 0 });
  }
  await writeTokenizer(tokenizerFrom, path, full.shape.vocabulary);
}

function openWeightFiles(graphPath: string, count: number): { store: StoreWeight; close: () => void } {
  const files = Array.from({ length: count }, (_, index) => {
    const location = `${basename(graphPath)}_data${index === 0 ? '' : `_${index}`}`;
    return { location, offset: 0, descriptor: openSync(join(dirname(graphPath), location), 'w') };
  });
  let turn = 0;
  return {
    store: (data) => {
      const file = files[turn++ % count];
      if (file === undefined || data.length < SMALLEST_EXTERNAL) return null;
      const { location, offset } = file;
      for (let written = 0; written < data.length;) written += writeSync(file.descriptor, data, written);
      file.offset += data.length;
      return { location, offset, length: data.length };
    },
    close: () => files.forEach(({ descriptor }) => closeSync(descriptor)),
  };
}

function huggingFaceConfig(shape: DecoderShape): object {
  return {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    vocab_size: shape.vocabulary,
    hidden_size: shape.hidden,
    intermediate_size: shape.feedForward,
    num_hidden_layers: shape.layers,
    num_attention_heads: shape.heads,
    num_key_value_heads: shape.kvHeads,
    head_dim: shape.headSize,
    hidden_act: 'silu',
    rms_norm_eps: 1e-6,
    rope_theta: 10_000,
    max_position_embeddings: shape.positions,
    tie_word_embeddings: false,
    bos_token_id: null,
    eos_token_id: END_TOKENS[0],
    pad_token_id: 0,
  };
}

function genaiConfig({ shape, cacheNames, attention, hybrid }: DecoderGraphOptions, filename: string): object {
  const custom = cacheNames === 'custom';
  const states = hybrid && { past_conv_names: 'past.%d.conv', past_recurrent_names: 'past.%d.recurrent' };
  const newStates = hybrid && { present_conv_names: 'present.%d.conv', present_recurrent_names: 'present.%d.recurrent' };
  return {
    model: {
      context_length: shape.positions,
      decoder: {
        session_options: { log_id: 'onnxruntime-genai', provider_options: [] },
        filename,
        head_size: shape.headSize,
        hidden_size: shape.hidden,
        inputs: {
          input_ids: 'input_ids',
          attention_mask: 'attention_mask',
          ...(attention === 'plain' && { position_ids: 'position_ids' }),
          past_key_names: custom ? 'key_cache_in_%d' : 'past_key_values.%d.key',
          past_value_names: custom ? 'value_cache_in_%d' : 'past_key_values.%d.value',
          ...states,
        },
        outputs: {
          logits: 'logits',
          present_key_names: custom ? 'key_cache_out_%d' : 'present.%d.key',
          present_value_names: custom ? 'value_cache_out_%d' : 'present.%d.value',
          ...newStates,
        },
        num_attention_heads: shape.heads,
        num_hidden_layers: shape.layers,
        num_key_value_heads: shape.kvHeads,
      },
      eos_token_id: END_TOKENS,
      pad_token_id: 0,
      type: 'llama',
      vocab_size: shape.vocabulary,
    },
    search: { do_sample: false, max_length: shape.positions, past_present_share_buffer: attention === 'gqa' },
  };
}

/** Tokens that fill the vocabulary up are words that no text is cut into, but that can be decoded. */
async function writeTokenizer(from: string, to: string, vocabulary: number): Promise<void> {
  const json = JSON.parse(await readFile(join(from, 'tokenizer.json'), 'utf8')) as {
    added_tokens: { id: number }[];
    model: { vocab: Record<string, number> };
  };
  const taken = new Set([...Object.values(json.model.vocab), ...json.added_tokens.map(({ id }) => id)]);
  for (let id = 0; id < vocabulary; id++) if (!taken.has(id)) json.model.vocab[`Ġw${id}`] = id;
  await writeJson(to, 'tokenizer.json', json);
  await copyFile(join(from, 'tokenizer_config.json'), join(to, 'tokenizer_config.json'));
}

async function writeJson(path: string, file: string, value: object): Promise<void> {
  await writeFile(join(path, file), JSON.stringify(value));
}
