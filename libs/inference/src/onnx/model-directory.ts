import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UnsupportedModelError } from './decoder-layout.js';
import { type ChatTemplateSource } from './text/chat-template.js';

/** A model as it lies on disk, in the Hugging Face layout. Weights are not read yet. */
export interface ModelDirectory {
  path: string;
  /** The graph file. External data lies beside it. */
  graphPath: string;
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

/** Graph files in order of preference: the most exact first. */
const GRAPH_FILES = [
  'model',
  'model_fp16',
  'model_q4',
  'model_q4f16',
  'model_int8',
  'model_uint8',
  'model_quantized',
  'model_bnb4',
].flatMap((name) => [join('onnx', `${name}.onnx`), `${name}.onnx`]);
const SPECIAL_TOKENS = ['bos_token', 'eos_token', 'pad_token', 'unk_token'];

type Json = Record<string, unknown>;

/** Whether a directory claims to hold a model. Others (scripts, notes) are passed over without a word. */
export async function looksLikeModel(path: string): Promise<boolean> {
  return (await findGraph(path)) !== null || (await isFile(join(path, 'config.json')));
}

/**
 * Reads everything about a model except its weights.
 * @throws UnsupportedModelError saying which file is missing or wrong.
 */
export async function readModelDirectory(path: string): Promise<ModelDirectory> {
  const graph = await findGraph(path);
  if (graph === null) throw new UnsupportedModelError('no ONNX graph (onnx/model.onnx); export the model to ONNX');
  const config = await requireJson(path, 'config.json');
  const generation = await readJson(path, 'generation_config.json');
  const tokenizerConfig = await requireJson(path, 'tokenizer_config.json');
  const endTokens = [generation?.['eos_token_id'], config['eos_token_id']].map(tokenIds).find((ids) => ids.length > 0);
  if (endTokens === undefined)
    throw new UnsupportedModelError('neither generation_config.json nor config.json names an eos_token_id; no answer would ever end');
  return {
    path,
    graphPath: join(path, graph),
    configFiles: generation === null ? ['config.json'] : ['config.json', 'generation_config.json'],
    tokenizer: {
      files: ['tokenizer.json', 'tokenizer_config.json'],
      tokenizer: await requireJson(path, 'tokenizer.json'),
      config: tokenizerConfig,
    },
    template: await readTemplate(path, tokenizerConfig),
    specialTokens: specialTokens(tokenizerConfig),
    endTokens,
    contextTokens: contextTokens(config),
  };
}

/** `chat_template.jinja` where it exists, else tokenizer_config.json, which may hold one template or several named ones. */
async function readTemplate(path: string, tokenizerConfig: Json): Promise<ChatTemplateSource> {
  const file = await readText(join(path, 'chat_template.jinja'));
  if (file !== null) return { default: file, toolUse: null };
  const { chat_template: inline } = tokenizerConfig;
  if (typeof inline === 'string') return { default: inline, toolUse: null };
  if (Array.isArray(inline)) {
    const named = new Map(inline.flatMap((entry) => (isNamedTemplate(entry) ? [[entry.name, entry.template]] : [])) as [string, string][]);
    const general = named.get('default');
    if (general !== undefined) return { default: general, toolUse: named.get('tool_use') ?? null };
  }
  throw new UnsupportedModelError(
    'the tokenizer has no chat template (chat_template.jinja, or chat_template in tokenizer_config.json); add the one that the model was trained with',
  );
}

function isNamedTemplate(entry: unknown): entry is { name: string; template: string } {
  const { name, template } = (entry ?? {}) as Json;
  return typeof name === 'string' && typeof template === 'string';
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

function tokenIds(value: unknown): number[] {
  return (Array.isArray(value) ? value : [value]).filter((id): id is number => Number.isSafeInteger(id) && (id as number) >= 0);
}

/** Multimodal models keep the decoder's settings in `text_config`; older configurations say `n_positions`. */
function contextTokens(config: Json): number | null {
  const text = (config['text_config'] ?? {}) as Json;
  const stated = [config['max_position_embeddings'], text['max_position_embeddings'], config['n_positions']];
  return stated.map(positiveInteger).find((tokens) => tokens !== null) ?? null;
}

function positiveInteger(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null;
}

async function findGraph(path: string): Promise<string | null> {
  for (const file of GRAPH_FILES) if (await isFile(join(path, file))) return file;
  return null;
}

async function requireJson(path: string, file: string): Promise<Json> {
  const json = await readJson(path, file);
  if (json === null) throw new UnsupportedModelError(`${file} is missing`);
  return json;
}

async function readJson(path: string, file: string): Promise<Json | null> {
  const text = await readText(join(path, file));
  if (text === null) return null;
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Json;
  } catch (cause) {
    throw new UnsupportedModelError(`${file} is not JSON: ${(cause as Error).message}`, { cause });
  }
  throw new UnsupportedModelError(`${file} is not a JSON object`);
}

async function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new UnsupportedModelError(`${path} cannot be read: ${error.code}`, { cause: error });
  });
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isFile(),
    () => false,
  );
}
