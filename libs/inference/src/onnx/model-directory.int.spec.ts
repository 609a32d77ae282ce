import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyModel, type ModelCopy } from '../testing/model-copy.fixture.js';
import { findGraphFiles } from './graph-files.js';
import { modelVariants, readModelDirectory } from './model-directory.js';

let copy: ModelCopy;
beforeEach(async () => (copy = await copyModel()));
afterEach(() => copy.remove());

const write = async (file: string, content: string | object) => {
  await mkdir(dirname(join(copy.path, file)), { recursive: true });
  await writeFile(join(copy.path, file), typeof content === 'string' ? content : JSON.stringify(content));
};
const remove = (file: string) => rm(join(copy.path, file));
const read = (variant: string | null = null) => readModelDirectory(copy.path, variant);

describe('findGraphFiles', () => {
  it('prefers weights as they are, then rounded ones, then rounded activations', async () => {
    const path = await mkdtemp(join(tmpdir(), 'kiln-graphs-'));
    await mkdir(join(path, 'onnx'));
    const names = ['quantized', 'q4', 'int8', 'bnb4', 'fp16', 'q4f16', 'custom'].map((suffix) => `onnx/model_${suffix}.onnx`);
    for (const name of [...names, 'model.onnx', 'onnx/model_q4.onnx_data', 'model_q4.onnx', 'onnx/decoder_model_merged.onnx'])
      await writeFile(join(path, name), '');
    expect((await findGraphFiles(path)).map(({ file }) => file)).toEqual([
      'model.onnx',
      'onnx/model_fp16.onnx',
      'onnx/model_q4.onnx',
      'onnx/model_q4f16.onnx',
      'onnx/model_bnb4.onnx',
      'onnx/model_int8.onnx',
      'onnx/model_quantized.onnx',
      'onnx/model_custom.onnx',
    ]);
    await rm(path, { recursive: true });
  });
});

describe('variants of a model', () => {
  it('are the graphs beside the preferred one, and are read by name', async () => {
    await write('onnx/model_q4.onnx', '');
    await write('onnx/model_fp16.onnx', '');
    expect(await modelVariants(copy.path)).toEqual(['fp16', 'q4']);
    expect((await read()).graphPath).toBe(join(copy.path, 'onnx/model.onnx'));
    expect((await read('q4')).graphPath).toBe(join(copy.path, 'onnx/model_q4.onnx'));
    await expect(read('q8')).rejects.toThrow(/no ONNX graph of the variant q8/);
    await remove('onnx/model.onnx');
    expect((await read()).graphPath).toBe(join(copy.path, 'onnx/model_fp16.onnx'));
    expect(await modelVariants(copy.path)).toEqual(['q4']);
  });
});

describe('end tokens', () => {
  it('come from generation_config.json, then config.json', async () => {
    expect((await read()).endTokens).toEqual([2, 0]);
    await remove('generation_config.json');
    expect((await read()).endTokens).toEqual([2]);
    await copy.editJson('config.json', { eos_token_id: null, text_config: { eos_token_id: [7, 8] } });
    expect((await read()).endTokens).toEqual([7, 8]);
  });
});

describe('the context', () => {
  it('is that of the text model', async () => {
    expect((await read()).contextTokens).toBe(512);
    await copy.editJson('config.json', { max_position_embeddings: undefined, text_config: { max_position_embeddings: 99 } });
    expect((await read()).contextTokens).toBe(99);
    await copy.editJson('config.json', { text_config: undefined });
    expect((await read()).contextTokens).toBeNull();
  });
});

describe('the chat template', () => {
  it('is chat_template.jinja, then that of tokenizer_config.json, then chat_template.json', async () => {
    await write('chat_template.json', { chat_template: 'third' });
    await write('chat_template.jinja', 'first');
    expect((await read()).template).toEqual({ default: 'first', toolUse: null });
    await remove('chat_template.jinja');
    expect((await read()).template.default).toContain('<|im_start|>');
    await copy.editJson('tokenizer_config.json', { chat_template: undefined });
    expect((await read()).template.default).toBe('third');
  });

  it('may have a variant for tools, in either form', async () => {
    const named = ['default', 'tool_use', 'rag'].map((name) => ({ name, template: `${name}!` }));
    await copy.editJson('tokenizer_config.json', { chat_template: named });
    expect((await read()).template).toEqual({ default: 'default!', toolUse: 'tool_use!' });
    await write('additional_chat_templates/tool_use.jinja', 'file!');
    expect((await read()).template).toEqual({ default: 'default!', toolUse: 'file!' });
  });
});

describe('a folder of onnxruntime-genai', () => {
  const genai = (model: object) => write('genai_config.json', { model });
  beforeEach(async () => {
    await rename(join(copy.path, 'onnx/model.onnx'), join(copy.path, 'phi.onnx'));
    await remove('config.json');
    await remove('generation_config.json');
  });

  it('needs no configuration of Hugging Face', async () => {
    await genai({ decoder: { filename: 'phi.onnx' }, eos_token_id: [4, 5], context_length: 77 });
    expect(await read()).toMatchObject({
      graphPath: join(copy.path, 'phi.onnx'),
      configFiles: ['genai_config.json'],
      endTokens: [4, 5],
      contextTokens: 77,
    });
  });

  it('names a graph that must be there', async () => {
    await genai({ decoder: { filename: 'other.onnx' }, eos_token_id: 4 });
    await expect(read()).rejects.toThrow(/no ONNX graph/);
  });

  it('must say what a directory without config.json says nowhere else', async () => {
    await rename(join(copy.path, 'phi.onnx'), join(copy.path, 'model.onnx'));
    await expect(read()).rejects.toThrow(/config\.json is missing/);
    await genai({ decoder: {} });
    await expect(read()).rejects.toThrow(/eos_token_id/);
  });
});
