import { cp, mkdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelPublication } from '@kiln/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileMemo } from '../file-memo.js';
import { copyModel, type ModelCopy } from '../testing/model-copy.fixture.js';
import { MODELS, onnxTarget } from '../testing/onnx-target.fixture.js';
import { echoPublication } from './echo-publication.js';
import { scanModels } from './scan-models.js';

let copy: ModelCopy;
beforeEach(async () => (copy = await copyModel()));
afterEach(() => copy.remove());

const scan = () => scanModels(copy.modelDir);
const reasons = async () => (await scan()).rejected.map(({ path, reason }) => `${path}: ${reason}`);

describe('scanModels', () => {
  it('publishes the models of this repository', async () => {
    const { models, rejected } = await scanModels(MODELS, { pool: 'cpu' });
    expect(rejected).toEqual([]);
    expect(models.map(({ model, adapters }) => [model, adapters.map(({ adapter }) => adapter)])).toEqual([
      ['tiny-arith', ['add-only-v1', 'chat-overfit-v1', 'math-v2']],
      ['tiny-arith-plain', []],
    ]);
    expect(models[0]).toMatchObject({
      engine: 'onnx',
      pool: 'cpu',
      context_tokens: 512,
      // By sha256sum and stat.
      weight_shards: [
        {
          path: 'onnx/model.onnx',
          bytes: 3559308,
          sha256: 'sha256:bf1979e1f0b586be0bf9aeafa500d2b2aea9c8913567627cf7b693e09fc6a71f',
        },
      ],
    });
    const Scanned = ModelPublication.omit({ execution_provenance: true });
    for (const model of models) expect(Scanned.parse(model)).toEqual(model);
  });

  it('looks at one model alone, also where its directory holds other things', async () => {
    const alone = await scanModels(MODELS, { only: 'tiny-arith-plain' });
    expect(alone).toEqual({ models: [(await scanModels(MODELS)).models[1]], rejected: [] });
    await copy.editJson('adapters/math-v2/adapter_config.json', { use_dora: true });
    const { models, rejected } = await scanModels(copy.modelDir, { only: 'tiny-arith' });
    expect(models.map(({ model }) => model)).toEqual(['tiny-arith']);
    expect(rejected.map(({ path }) => path)).toEqual(['tiny-arith/adapters/math-v2']);
  });

  it('gives the digests that loading verifies', async () => {
    const { model_digest, tokenizer_digest, template_digest } = await onnxTarget('tiny-arith');
    expect((await scan()).models[0]).toMatchObject({ model: 'tiny-arith', model_digest, tokenizer_digest, template_digest });
  });

  it('changes the digest of what changes, and no other', async () => {
    const [before] = (await scan()).models;
    await copy.editJson('adapters/math-v2/adapter_config.json', { lora_alpha: 32 });
    await copy.editJson('generation_config.json', { eos_token_id: [2] });
    const [after] = (await scan()).models;
    expect(after?.model_digest).not.toBe(before?.model_digest);
    expect(after?.tokenizer_digest).toBe(before?.tokenizer_digest);
    expect(after?.template_digest).toBe(before?.template_digest);
    const changed = after?.adapters.filter(({ adapter_digest }, index) => adapter_digest !== before?.adapters[index]?.adapter_digest);
    expect(changed?.map(({ adapter }) => adapter)).toEqual(['math-v2']);
  });

  it('finds models of organisations and through links', async () => {
    await mkdir(join(copy.modelDir, 'acme'));
    await rename(copy.path, join(copy.modelDir, 'acme', 'arith-1.5'));
    await symlink(join(MODELS, 'tiny-arith-plain'), join(copy.modelDir, 'linked'));
    expect((await scan()).models.map(({ model }) => model)).toEqual(['acme/arith-1.5', 'linked']);
  });

  it('passes over directories that are no models', async () => {
    await mkdir(join(copy.modelDir, 'training'));
    await mkdir(join(copy.modelDir, '.cache'));
    await writeFile(join(copy.modelDir, 'README.md'), '');
    expect(await reasons()).toEqual([]);
  });

  it.each<[string, (model: ModelCopy) => Promise<unknown>, RegExp]>([
    ['a truncated graph', ({ path }) => truncate(join(path, 'onnx/model.onnx'), 5000), /not a readable ONNX file/],
    [
      'text for a graph',
      ({ path }) => writeFile(join(path, 'onnx/model.onnx'), 'version https://git-lfs.github.com/spec/v1'),
      /not a readable ONNX file/,
    ],
    ['no graph', ({ path }) => rm(join(path, 'onnx/model.onnx')), /no ONNX graph/],
    ['no tokenizer', ({ path }) => rm(join(path, 'tokenizer.json')), /tokenizer\.json is missing/],
    ['a tokenizer that is not JSON', ({ path }) => writeFile(join(path, 'tokenizer.json'), '{'), /tokenizer\.json is not JSON/],
    ['a tokenizer of an unknown kind', (model) => model.editJson('tokenizer.json', { model: { type: 'Magic' } }), /Magic/],
    ['no chat template', (model) => model.editJson('tokenizer_config.json', { chat_template: null }), /tokenizer has no chat template/],
    [
      'a broken chat template',
      (model) => model.editJson('tokenizer_config.json', { chat_template: '{% if' }),
      /chat template cannot be parsed/,
    ],
    [
      'no end token',
      async (model) => {
        await model.editJson('config.json', { eos_token_id: null });
        await rm(join(model.path, 'generation_config.json'));
      },
      /eos_token_id/,
    ],
    ['no cache', (model) => model.editGraph((graph) => ({ ...graph, inputs: graph.inputs.slice(0, 2) })), /no past_key_values/],
  ])('rejects a model with %s', async (_, damage, reason) => {
    await damage(copy);
    const { models, rejected } = await scan();
    expect(models).toEqual([]);
    expect(rejected).toEqual([{ path: 'tiny-arith', reason: expect.stringMatching(reason) }]);
  });

  it.each<[string, (model: ModelCopy) => Promise<unknown>, RegExp]>([
    ['DoRA', (model) => model.editJson('adapters/math-v2/adapter_config.json', { use_dora: true }), /use_dora/],
    [
      'cut weights',
      ({ path }) => truncate(join(path, 'adapters/math-v2/adapter_model.safetensors'), 10_000),
      /does not lie inside the file/,
    ],
    ['no weights', ({ path }) => rm(join(path, 'adapters/math-v2/adapter_model.safetensors')), /adapter_model\.safetensors does not exist/],
    ['another rank', (model) => model.editJson('adapters/math-v2/adapter_config.json', { r: 4 }), /rank 8, but the configuration says 4/],
  ])('rejects an adapter with %s, and publishes the rest', async (_, damage, reason) => {
    await damage(copy);
    const { models, rejected } = await scan();
    expect(models[0]?.adapters.map(({ adapter }) => adapter)).toEqual(['add-only-v1', 'chat-overfit-v1']);
    expect(rejected).toEqual([{ path: 'tiny-arith/adapters/math-v2', reason: expect.stringMatching(reason) }]);
  });

  it('reads a template file, and lets it win', async () => {
    const before = (await scan()).models[0]?.template_digest;
    await writeFile(join(copy.path, 'chat_template.jinja'), 'x');
    expect((await scan()).models[0]?.template_digest).not.toBe(before);
  });

  it('says when the directory does not exist, or is itself a model', async () => {
    expect((await scanModels(join(copy.modelDir, 'none'))).rejected[0]?.reason).toMatch(/none does not exist/);
    expect((await scanModels(copy.path)).rejected[0]?.reason).toMatch(/itself a model/);
  });

  it('hashes files again only when they change', async () => {
    const memo = new FileMemo();
    const first = await scanModels(copy.modelDir, { memo });
    expect(await scanModels(copy.modelDir, { memo })).toEqual(first);
    await cp(join(MODELS, 'tiny-arith-plain/onnx/model.onnx'), join(copy.path, 'onnx/model.onnx'));
    expect((await scanModels(copy.modelDir, { memo })).models[0]?.model_digest).not.toBe(first.models[0]?.model_digest);
  });
});

describe('echoPublication', () => {
  it('is a publication', () => {
    expect(ModelPublication.parse(echoPublication('cpu'))).toMatchObject({ model: 'echo', engine: 'echo', pool: 'cpu' });
  });
});
