import { mkdtemp, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newNode } from '../onnx/graph/attributes.js';
import { newValue } from '../onnx/graph/new-value.js';
import { encodeOnnx, type OnnxModel, type OnnxValue, parseOnnx } from '../onnx/graph/onnx-model.js';
import { TINY_SHAPE } from '../testing/graphs/decoder-graph-options.js';
import { GENERATED_LAYOUTS } from '../testing/graphs/generated-layouts.fixture.js';
import { type RandomAdapterOptions, writeRandomAdapter } from '../testing/graphs/random-adapter.fixture.js';
import { type GeneratedModelOptions, writeGeneratedModel } from '../testing/graphs/write-generated-model.js';
import { scanModels } from './scan-models.js';

let modelDir: string;
let path: string;
beforeEach(async () => {
  modelDir = await mkdtemp(join(tmpdir(), 'kiln-scan-'));
  path = join(modelDir, 'm');
});
afterEach(() => rm(modelDir, { recursive: true, force: true }));

const generate = (layout: keyof typeof GENERATED_LAYOUTS, over: Partial<GeneratedModelOptions> = {}) =>
  writeGeneratedModel(path, { ...GENERATED_LAYOUTS[layout]!, ...over });

async function editGraph(change: (model: OnnxModel) => OnnxModel, file = 'onnx/model.onnx'): Promise<void> {
  await writeFile(join(path, file), encodeOnnx(change(parseOnnx(await readFile(join(path, file))))));
}

const addNode = (...node: Parameters<typeof newNode>) => editGraph((model) => ({ ...model, nodes: [...model.nodes, newNode(...node)] }));

describe('graphs of several precisions in one directory', () => {
  beforeEach(async () => {
    await generate('gqa-q4', { graphFile: 'onnx/model_q4.onnx', dataFiles: 1 });
    await generate('gqa');
  });

  it('are models of their own that share tokenizer, template and adapters', async () => {
    await writeRandomAdapter(join(path, 'adapters', 'a'), TINY_SHAPE);
    const { models, rejected } = await scanModels(modelDir);
    expect(rejected).toEqual([]);
    const [exact, rounded] = models;
    expect(models.map(({ model }) => model)).toEqual(['m', 'm@q4']);
    expect(rounded?.model_digest).not.toBe(exact?.model_digest);
    expect(rounded).toMatchObject({ tokenizer_digest: exact?.tokenizer_digest, template_digest: exact?.template_digest });
    expect(rounded?.adapters).toEqual(exact?.adapters);
  });

  it('are refused one by one', async () => {
    await truncate(join(path, 'onnx/model_q4.onnx_data'), 10);
    expect(await scanModels(modelDir)).toMatchObject({
      models: [{ model: 'm' }],
      rejected: [{ path: 'm@q4', reason: expect.stringMatching(/model_q4\.onnx_data are cut off/) }],
    });
  });
});

describe('scanModels', () => {
  it('limits the context to what the rotary table has', async () => {
    await generate('gqa');
    const config = JSON.parse(await readFile(join(path, 'config.json'), 'utf8')) as object;
    await writeFile(join(path, 'config.json'), JSON.stringify({ ...config, max_position_embeddings: 100_000 }));
    expect((await scanModels(modelDir)).models[0]?.context_tokens).toBe(256);
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'an encoder-decoder by its files',
      () => partOf('encoder_model.onnx', 'decoder_model_merged.onnx'),
      /encoder_model\.onnx makes it an enc/,
    ],
    ['an encoder-decoder by its configuration', () => configured({ is_encoder_decoder: true }), /encoder-decoder/],
    [
      'a split model by its files',
      () => partOf('embed_tokens_fp16.onnx', 'decoder_model_merged_fp16.onnx'),
      /embed_tokens_fp16\.onnx is a graph of/,
    ],
    ['a split model by its inputs', () => withInput('inputs_embeds'), /split into embed_tokens and a decoder/],
    ['a model of images', () => withInput('pixel_values'), /images or sound/],
    ['paged attention', () => generate('gqa').then(() => addNode('n', 'com.microsoft.PagedAttention', [], ['o'])), /PagedAttention/],
    [
      'operators of a library',
      () => generate('gqa').then(() => addNode('n', 'com.amd.FlatMLP', [], ['o'])),
      /FlatMLP of the domain com\.amd/,
    ],
    [
      'a second file of weights missing',
      () => generate('gqa-external').then(() => rm(join(path, 'onnx/model.onnx_data_1'))),
      /onnx_data_1 are missing/,
    ],
    [
      'a pipeline',
      () => genaiConfigured((model) => ({ ...model, decoder: { ...(model['decoder'] as object), pipeline: [] } })),
      /pipeline/,
    ],
    ['a second graph', () => genaiConfigured((model) => ({ ...model, vision: { filename: 'v.onnx' } })), /vision/],
    [
      'other names than configured',
      () => generate('genai-names', { graph: { logits: 'all' } }).then(() => editGraph(renamedCache, 'decoder.onnx')),
      /input keys_0 .* is not supported/,
    ],
    ['state of unknown shape', () => generate('hybrid').then(() => editGraph(freeState)), /past_conv\.0 .* free batch and fixed sizes/],
    ['no chat template', () => generate('gqa').then(() => writeFile(join(path, 'tokenizer_config.json'), '{}')), /no chat template/],
  ])('rejects %s', async (_, make, reason) => {
    await make();
    const { models, rejected } = await scanModels(modelDir);
    expect(models).toEqual([]);
    expect(rejected).toEqual([{ path: 'm', reason: expect.stringMatching(reason) }]);
  });

  it.each<[string, keyof typeof GENERATED_LAYOUTS, RandomAdapterOptions, RegExp]>([
    ['fused projections', 'fused-qkv', {}, /only fused into layers\.0\.attn\.qkv_proj/],
    ['rounded activations', 'gqa-dynamic8', {}, /can take no adapter: MatMulInteger works on rounded activations/],
    ['unknown targets', 'gqa', { targets: ['fc1'] }, /targets model\.layers\.0\.self_attn\.fc1, which the graph does not have/],
    ['layers without attention', 'hybrid', {}, /targets model\.layers\.0\.self_attn\.q_proj/],
    ['DoRA', 'gqa', { config: { use_dora: true } }, /use_dora is set: DoRA/],
    ['biases', 'gqa', { config: { bias: 'all' } }, /bias is set: trained biases/],
    ['modules to save', 'gqa', { config: { modules_to_save: ['lm_head'] } }, /modules_to_save is set: fully trained modules/],
    ['PiSSA', 'gqa', { config: { init_lora_weights: 'pissa_niter_4' } }, /init_lora_weights is set: .* change the base weights/],
    ['another method', 'gqa', { config: { peft_type: 'IA3' } }, /peft_type is "IA3"/],
  ])('rejects an adapter: %s', async (_, layout, adapter, reason) => {
    await generate(layout);
    await writeRandomAdapter(join(path, 'adapters', 'a'), TINY_SHAPE, adapter);
    const { models, rejected } = await scanModels(modelDir);
    expect(models.map(({ adapters }) => adapters)).toEqual([[]]);
    expect(rejected).toEqual([{ path: 'm/adapters/a', reason: expect.stringMatching(reason) }]);
  });

  it.each([
    'plain',
    'plain-transposed',
    'plain-logits-to-keep',
    'gqa-fp16',
    'gqa-q4-level4',
    'fused-matmul',
    'gqa-external',
    'genai',
  ] as const)('publishes an adapter for %s', async (layout) => {
    await generate(layout);
    await writeRandomAdapter(join(path, 'adapters', 'a'), TINY_SHAPE);
    const { models, rejected } = await scanModels(modelDir);
    expect(rejected).toEqual([]);
    expect(models[0]?.adapters.map(({ adapter }) => adapter)).toEqual(['a']);
  });
});

async function partOf(part: string, decoder: string): Promise<void> {
  await generate('gqa');
  await rename(join(path, 'onnx/model.onnx'), join(path, 'onnx', decoder));
  await writeFile(join(path, 'onnx', part), '');
}

async function configured(over: object): Promise<void> {
  await generate('gqa');
  const config = JSON.parse(await readFile(join(path, 'config.json'), 'utf8')) as object;
  await writeFile(join(path, 'config.json'), JSON.stringify({ ...config, ...over }));
}

async function genaiConfigured(change: (model: Record<string, unknown>) => object): Promise<void> {
  await generate('genai');
  const config = JSON.parse(await readFile(join(path, 'genai_config.json'), 'utf8')) as { model: Record<string, unknown> };
  await writeFile(join(path, 'genai_config.json'), JSON.stringify({ ...config, model: change(config.model) }));
}

async function withInput(name: string): Promise<void> {
  await generate('gqa');
  await editGraph((model) => ({ ...model, inputs: [renamed(model.inputs[0]!, name), ...model.inputs.slice(1)] }));
}

function renamed(value: OnnxValue, name: string): OnnxValue {
  return newValue(
    name,
    value.elementType!,
    value.dims!.map((dim) => dim ?? 'free'),
  );
}

function renamedCache(model: OnnxModel): OnnxModel {
  const [ids, mask, key, ...others] = model.inputs as [OnnxValue, OnnxValue, OnnxValue];
  return { ...model, inputs: [ids, mask, renamed(key, 'keys_0'), ...others] };
}

function freeState(model: OnnxModel): OnnxModel {
  const free = (value: OnnxValue) => newValue(value.name, value.elementType!, ['batch_size', 'channels', 'width']);
  return { ...model, inputs: model.inputs.map((value) => (value.name.startsWith('past_conv') ? free(value) : value)) };
}
