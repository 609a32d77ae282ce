import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { arithmeticQuestions, collect, onnxTarget, sampleRequest, trace } from '../testing/onnx-target.fixture.js';
import { copyModel, type ModelCopy } from '../testing/model-copy.fixture.js';
import { externaliseWeights, toFloat16 } from '../testing/converted-graph.fixture.js';
import { quantiseProjections, tensorValues } from '../testing/quantised-graph.fixture.js';
import { newTensor } from './graph/new-tensor.js';
import { type OnnxModel } from './graph/onnx-model.js';
import { readAdapter } from './load-model.js';
import { type PeftAdapter } from './lora/peft-adapter.js';
import { OnnxGenerator } from './onnx-generator.js';

let copy: ModelCopy;
let generator: OnnxGenerator;
beforeEach(async () => {
  copy = await copyModel();
  generator = new OnnxGenerator({ modelDir: copy.modelDir, threads: 1 });
});
afterEach(async () => {
  await generator.close();
  await copy.remove();
});

const frozen = (adapter: string | null = null) => onnxTarget('tiny-arith', adapter, copy.modelDir);
const questions = arithmeticQuestions(24);

async function answers(target: Awaited<ReturnType<typeof frozen>>, generation: object = {}): Promise<string[]> {
  await generator.load(target);
  const samples = questions.map(({ question }, index) => sampleRequest(target, question, { id: String(index), generation }));
  const results = await collect(generator, samples);
  return samples.map(({ id }) => {
    const result = results.get(id);
    return result?.ok === true ? result.trace.text : JSON.stringify(result);
  });
}

/** W + scale * (B A)^T in place of W, as merging an adapter does. */
function merge(model: OnnxModel, adapter: PeftAdapter): OnnxModel {
  const initializers = model.initializers.map((tensor) => {
    const path = tensor.name.replace('.MatMul.weight', '').replace('.attn.', '.self_attn.');
    const update = adapter.get(path);
    if (update === undefined) return tensor;
    const { rank, inFeatures, outFeatures, scale, a, b } = update;
    const values = tensorValues(tensor).map((value, index) => {
      const [input, output] = [Math.floor(index / outFeatures), index % outFeatures];
      let delta = 0;
      for (let r = 0; r < rank; r++) delta += a[r * inFeatures + input]! * b[output * rank + r]!;
      return value + scale * delta;
    });
    return newTensor(tensor.name, tensor.dims, tensor.elementType, values);
  });
  return { ...model, initializers };
}

describe('an adapter', () => {
  it('gives the tokens of merged weights', async () => {
    const fed = await answers(await frozen('math-v2'));
    const base = await answers(await frozen());
    const adapter = await readAdapter(join(copy.path, 'adapters', 'math-v2'));
    await copy.editGraph((model) => merge(model, adapter));
    expect(await answers(await frozen())).toEqual(fed);
    expect(fed).not.toEqual(base);
  });

  it('works on quantised weights', async () => {
    await copy.editGraph(quantiseProjections);
    const [base, math] = [await answers(await frozen()), await answers(await frozen('math-v2'))];
    const right = (texts: string[]) => texts.filter((text, index) => text === questions[index]!.answer).length;
    expect(right(math)).toBeGreaterThan(right(base));
  });

  it('that is missing, or targets what the graph lacks, is refused by name', async () => {
    const target = await frozen('math-v2');
    await expect(generator.load({ ...target, adapter: 'other' })).rejects.toMatchObject({ code: 'adapter_not_found' });
    await copy.editGraph((model) => ({
      ...model,
      nodes: model.nodes.map((node) => ({ ...node, name: node.name.replace('down_proj', 'fc2') })),
    }));
    await expect(generator.load(await frozen('math-v2'))).rejects.toMatchObject({
      code: 'target_invalid',
      message: expect.stringContaining('the adapter targets model.layers.0.mlp.down_proj'),
    });
  });
});

describe('weights in files of their own', () => {
  const externalise = async () => {
    let weights: Uint8Array = new Uint8Array();
    await copy.editGraph((model) => {
      const { model: lean, data } = externaliseWeights(model, 'model.onnx_data');
      weights = data;
      return lean;
    });
    await writeFile(join(copy.path, 'onnx', 'model.onnx_data'), weights);
  };

  it('give the same tokens, with an adapter and without', async () => {
    const before = [await answers(await frozen()), await answers(await frozen('math-v2'))];
    await externalise();
    expect([await answers(await frozen()), await answers(await frozen('math-v2'))]).toEqual(before);
  });

  it('belong to the model’s identity, and must be whole', async () => {
    await externalise();
    const target = await frozen();
    const data = join(copy.path, 'onnx', 'model.onnx_data');
    const bytes = await readFile(data);
    await writeFile(data, bytes.fill(0, 100, 104));
    await expect(generator.load(target)).rejects.toMatchObject({ code: 'target_changed' });
    await truncate(data, 1000);
    const fresh = () => new OnnxGenerator({ modelDir: copy.modelDir, threads: 1 }).load(target);
    await expect(fresh()).rejects.toMatchObject({ code: 'target_invalid', message: expect.stringContaining('cut off') });
    await rm(data);
    await expect(fresh()).rejects.toMatchObject({
      code: 'target_invalid',
      message: expect.stringContaining('model.onnx_data are missing'),
    });
  });

  it('may not lie outside the model', async () => {
    await copy.editGraph((model) => externaliseWeights(model, '../../secret').model);
    await expect(frozen()).rejects.toThrow(/outside the model/);
  });
});

describe('weights in float16', () => {
  it('answer like those in float32, with an adapter and without', async () => {
    const single = [await answers(await frozen()), await answers(await frozen('math-v2'))];
    await copy.editGraph(toFloat16);
    const half = [await answers(await frozen()), await answers(await frozen('math-v2'))];
    const equal = half.flat().filter((text, index) => text === single.flat()[index]).length;
    expect(equal).toBeGreaterThan(half.flat().length * 0.9);
  });
});

describe('quantised weights', () => {
  it('give a sample the same tokens alone and among others', async () => {
    await copy.editGraph(quantiseProjections);
    const target = await frozen();
    const together = await answers(target, { temperature: 0.8 });
    const alone = new OnnxGenerator({ modelDir: copy.modelDir, threads: 1, maxBatch: 1 });
    await alone.load(target);
    for (const [index, { question }] of questions.slice(0, 8).entries()) {
      const sample = sampleRequest(target, question, { generation: { temperature: 0.8 } });
      expect((await trace(alone, sample)).text).toBe(together[index]);
    }
    await alone.close();
  });
});

describe('a model that is not what was frozen', () => {
  it.each([
    ['configuration', 'config.json', 'model_digest'],
    ['end tokens', 'generation_config.json', 'model_digest'],
    ['tokenizer', 'tokenizer.json', 'tokenizer_digest'],
    ['adapter', 'adapters/math-v2/adapter_config.json', 'digest of adapter math-v2'],
  ])('is target_changed: %s', async (_, file, named) => {
    const target = await frozen('math-v2');
    await copy.edit(file, (content) => `${content}\n`);
    await expect(generator.load(target)).rejects.toMatchObject({ code: 'target_changed', message: expect.stringContaining(named) });
  });

  it('is target_changed when weights change without changing their size', async () => {
    const target = await frozen();
    await copy.editGraph((model) => ({
      ...model,
      initializers: model.initializers.map((tensor) =>
        tensor.name === 'lm_head.MatMul.weight' ? newTensor(tensor.name, tensor.dims, 1, tensorValues(tensor).fill(0, 0, 1)) : tensor,
      ),
    }));
    await expect(generator.load(target)).rejects.toMatchObject({ code: 'target_changed' });
  });

  it('is model_not_found when it is gone, or when its name leads elsewhere', async () => {
    const target = await frozen();
    for (const model of ['missing', '../tiny-arith', 'a/b/c', '', '.']) {
      await expect(generator.load({ ...target, model })).rejects.toMatchObject({ code: 'model_not_found' });
    }
  });
});

describe('a broken model', () => {
  it('is target_invalid, and may be loaded once repaired', async () => {
    const target = await frozen();
    const graph = join(copy.path, 'onnx', 'model.onnx');
    await truncate(graph, 100_000);
    await expect(generator.load(target)).rejects.toMatchObject({
      code: 'target_invalid',
      message: expect.stringContaining('not a readable ONNX file'),
    });
    await rm(graph);
    await expect(generator.load(target)).rejects.toMatchObject({
      code: 'target_invalid',
      message: expect.stringContaining('no ONNX graph'),
    });
  });

  it('is target_invalid when only the runtime objects', async () => {
    await copy.editGraph((model) => ({
      ...model,
      nodes: model.nodes.map((node) => (node.opType === 'Gather' ? { ...node, opType: 'NoSuchOperator' } : node)),
    }));
    await expect(generator.load(await frozen())).rejects.toMatchObject({
      code: 'target_invalid',
      message: expect.stringContaining('NoSuchOperator'),
    });
  });

  it('that computes NaN gives errors, not answers', async () => {
    await copy.editGraph((model) => ({
      ...model,
      initializers: model.initializers.map((tensor) =>
        tensor.name === 'model.norm.weight' ? newTensor(tensor.name, tensor.dims, 1, new Float32Array(tensor.dims[0]!).fill(NaN)) : tensor,
      ),
    }));
    const target = await frozen();
    await generator.load(target);
    const results = await collect(generator, [sampleRequest(target, '12 + 30?')]);
    expect(results.get('sample')).toMatchObject({ ok: false, error: { code: 'invalid_logits', retryable: false } });
  });

  it('whose template refuses a conversation gives an error for that sample', async () => {
    await writeFile(join(copy.path, 'chat_template.jinja'), '{{ raise_exception("no system role") }}');
    const target = await frozen();
    await generator.load(target);
    const results = await collect(generator, [sampleRequest(target, 'x')]);
    expect(results.get('sample')).toMatchObject({
      ok: false,
      error: { code: 'template_refused', message: expect.stringContaining('no system role') },
    });
  });
});
