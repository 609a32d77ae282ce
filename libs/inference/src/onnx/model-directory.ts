import { basename, join } from 'node:path';
import { type GenaiConfig, readGenaiConfig, tokenIds } from './genai-config.js';
import { fileNames, findGraphFiles } from './graph-files.js';
import { type Json, readJson, requireJson } from './model-files.js';
import { type PortNames, STANDARD_NAMES } from './port-names.js';
import { readTemplateSource } from './template-source.js';
import { type ChatTemplateSource } from './text/chat-template.js';
import { UnsupportedModelError } from './unsupported-model-error.js';

/** A model as it lies on disk, in the layout of Hugging Face or of onnxruntime-genai. Weights are not read yet. */
export interface ModelDirectory {
  path: string;
  /** The graph file. External data lies beside it. */
  graphPath: string;
  portNames: PortNames;
  /** Configuration files that answers depend on, besides graph, tokenizer and template; names within `path`. */
  configFiles: string[];
  tokenizer: { files: string[]; tokenizer: object; config: object };
  template: ChatTemplateSource;
  /** Template variables such as `bos_token`. */
  specialTokens: Record<string, string>;
  /** Tokens that end an answer; at least one. */
  endTokens: number[];
  /** Most tokens of prompt and answer together; null when the configuration does not say. */
  contextTokens: number | null;
}

const CONFIG_FILES = ['config.json', 'generation_config.json', 'genai_config.json'] as const;
const SPECIAL_TOKENS = ['bos_token', 'eos_token', 'pad_token', 'unk_token'];
const NO_GRAPH = 'no ONNX graph (onnx/model.onnx); export the model to ONNX';

/** Whether a directory claims to hold a model. Others (scripts, notes) are passed over without a word. */
export async function looksLikeModel(path: string): Promise<boolean> {
  const names = await fileNames(path);
  return names.includes('config.json') || names.includes('genai_config.json') || (await findGraphFiles(path)).length > 0;
}

/**
 * The variants of a model beside the graph that its plain name stands for, such as `q4` for `onnx/model_q4.onnx` where
 * `onnx/model.onnx` is there as well. `name@q4` names such a variant; it shares everything but the graph.
 */
export async function modelVariants(path: string): Promise<string[]> {
  const [, ...others] = await findGraphFiles(path);
  return others.flatMap(({ variant }) => (variant === null ? [] : [variant]));
}

/**
 * Reads everything about a model except its weights.
 * @param variant of the graph; null = the one that genai_config.json names, else the preferred one of {@link findGraphFiles}.
 * @throws UnsupportedModelError saying which file is missing or wrong.
 */
export async function readModelDirectory(path: string, variant: string | null = null): Promise<ModelDirectory> {
  const [config, generation, genaiJson] = await Promise.all(CONFIG_FILES.map((file) => readJson(path, file)));
  const genai = genaiJson == null ? null : readGenaiConfig(genaiJson);
  const graph = await chooseGraph(path, variant, genai);
  if (config == null && genai === null) throw new UnsupportedModelError('config.json is missing');
  if (config?.['is_encoder_decoder'] === true) throw new UnsupportedModelError('config.json says that it is an encoder-decoder model');
  const tokenizerConfig = await requireJson(path, 'tokenizer_config.json');
  const stated = [
    tokenIds(generation?.['eos_token_id']),
    genai?.endTokens ?? [],
    tokenIds(config?.['eos_token_id']),
    textEndTokens(config),
  ];
  const endTokens = stated.find((ids) => ids.length > 0);
  if (endTokens === undefined)
    throw new UnsupportedModelError('neither generation_config.json nor config.json names an eos_token_id; no answer would ever end');
  return {
    path,
    graphPath: join(path, graph),
    portNames: genai?.names ?? STANDARD_NAMES,
    configFiles: CONFIG_FILES.filter((_, index) => [config, generation, genaiJson][index] != null),
    tokenizer: {
      files: ['tokenizer.json', 'tokenizer_config.json'],
      tokenizer: await requireJson(path, 'tokenizer.json'),
      config: tokenizerConfig,
    },
    template: await readTemplateSource(path, tokenizerConfig),
    specialTokens: specialTokens(tokenizerConfig),
    endTokens,
    contextTokens: contextTokens(config ?? {}) ?? genai?.contextTokens ?? null,
  };
}

async function chooseGraph(path: string, variant: string | null, genai: GenaiConfig | null): Promise<string> {
  const graphs = await findGraphFiles(path);
  if (variant !== null) {
    const graph = graphs.find((candidate) => candidate.variant === variant);
    if (graph === undefined) throw new UnsupportedModelError(`no ONNX graph of the variant ${variant} (onnx/model_${variant}.onnx)`);
    return graph.file;
  }
  if (genai !== null && (await fileNames(path)).includes(genai.graph)) return genai.graph;
  const [preferred] = graphs;
  const isWhole = preferred !== undefined && basename(preferred.file).startsWith('model');
  if (isWhole) return preferred.file;
  const names = [...(await fileNames(join(path, 'onnx'))), ...(await fileNames(path))];
  const part = names.find((name) => /^(encoder_model|embed_tokens).*\.onnx$/.test(name));
  if (part !== undefined) throw new UnsupportedModelError(partReason(part));
  if (preferred === undefined) throw new UnsupportedModelError(NO_GRAPH);
  return preferred.file;
}

function partReason(part: string): string {
  return part.startsWith('encoder')
    ? `${part} makes it an encoder-decoder model; only decoders are supported`
    : `the model is split: ${part} is a graph of its own; export it as one graph over input_ids`;
}

function specialTokens(tokenizerConfig: Json): Record<string, string> {
  const tokens: Record<string, string> = {};
  for (const name of SPECIAL_TOKENS) {
    const token = tokenizerConfig[name];
    const text = typeof token === 'object' && token !== null ? (token as Json)['content'] : token;
    if (typeof text === 'string') tokens[name] = text;
  }
  return tokens;
}

function textEndTokens(config: Json | null | undefined): number[] {
  return tokenIds(((config?.['text_config'] ?? {}) as Json)['eos_token_id']);
}

/** Multimodal models keep the decoder's settings in `text_config`; older configurations say `n_positions`. */
function contextTokens(config: Json): number | null {
  const text = (config['text_config'] ?? {}) as Json;
  const stated = [config['max_position_embeddings'], text['max_position_embeddings'], config['n_positions']];
  return stated.find((tokens): tokens is number => Number.isSafeInteger(tokens) && (tokens as number) > 0) ?? null;
}
