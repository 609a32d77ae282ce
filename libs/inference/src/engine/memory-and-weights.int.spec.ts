import { execFile } from 'node:child_process';
import { mkdtemp, open, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type FrozenModelTarget } from '@kiln/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildEngine } from '../testing/build-engine.fixture.js';
import { TINY_SHAPE } from '../testing/graphs/decoder-graph-options.js';
import { writeGeneratedModel } from '../testing/graphs/write-generated-model.js';
import { collect, MODELS, onnxTarget, sampleRequest } from '../testing/onnx-target.fixture.js';
import { type SampleResult } from '../generator.js';
import { createEngine, type Engine } from './create-engine.js';

/** Tokens whose keys and values need 64 MiB a row. */
const MANY_TOKENS = 120_000;

describe.runIf(process.platform === 'linux')('an engine child', () => {
  let models: string;
  let target: FrozenModelTarget;
  let weights: string;
  beforeAll(async () => {
    await buildEngine();
    models = await mkdtemp(path.join(tmpdir(), 'kiln-native-'));
    const graph = { shape: { ...TINY_SHAPE, positions: 2 * MANY_TOKENS } };
    await writeGeneratedModel(path.join(models, 'generated'), { graph, dataFiles: 1, tokenizerFrom: path.join(MODELS, 'tiny-arith') });
    weights = path.join(models, 'generated', 'onnx', 'model.onnx_data');
    target = await onnxTarget('generated', null, models);
  }, 120_000);
  afterAll(() => rm(models, { recursive: true, force: true }));

  async function loaded(): Promise<{ engine: Engine; pid: number }> {
    const engine = createEngine({ kinds: ['onnx'], modelDir: models });
    onTestFinished(() => engine.close());
    await engine.load(target);
    return { engine, pid: engine.pids().onnx! };
  }
  const sums = (count: number, maxTokens: number) =>
    Array.from({ length: count }, (_, id) => sampleRequest(target, `${id} + 1`, { id: `s${id}`, generation: { max_tokens: maxTokens } }));

  it('without memory gives errors, which may be tried again, and goes on', async () => {
    const { engine, pid } = await loaded();
    await collect(engine, sums(8, 4));
    const before = Number(/^VmSize:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]);
    await promisify(execFile)('prlimit', ['--pid', String(pid), `--as=${(before + 32 * 1024) * 1024}:unlimited`]);
    const results = [...(await collect(engine, sums(2, MANY_TOKENS))).values()];
    expect(results).toHaveLength(2);
    for (const result of results) expect(result).toMatchObject({ ok: false, error: { code: 'out_of_memory', retryable: true } });
    const [after] = [...(await collect(engine, sums(1, 4))).values()];
    expect(after).toMatchObject({ ok: true });
    expect(engine.pids().onnx).toBe(pid);
  });

  describe('weights that are written over in place', () => {
    const answer = async (engine: Engine) => (await collect(engine, sums(1, 20))).get('s0')!;
    const changed = (retryable: boolean) => ({ ok: false, error: { code: 'target_changed', retryable } });
    let whole: Uint8Array;
    beforeAll(async () => void (whole = await readFile(weights)));
    afterEach(() => writeFile(weights, whole));
    /** Without cutting it off first: within a step that would end the process. */
    async function writeOver(bytes: Uint8Array): Promise<void> {
      const file = await open(weights, 'r+');
      await file.write(bytes, 0, bytes.length, 0);
      await file.close();
    }
    /** The sign of each weight is turned. */
    const other = () => whole.map((byte, index) => (index % 4 === 3 ? byte ^ 0x80 : byte));

    it('while they are used give errors, not answers under the old name; then the model is refused until the old ones are back', async () => {
      const { engine, pid } = await loaded();
      const samples = sums(300, 60);
      const expected = await collect(engine, samples);
      let overwritten: Promise<void> | null = null;
      const answered: SampleResult[] = [];
      const failed: SampleResult[] = [];
      for await (const result of engine.generate(samples, new AbortController().signal)) {
        overwritten ??= writeOver(other());
        (result.ok ? answered : failed).push(result);
      }
      await overwritten;
      expect(answered.length + failed.length).toBe(samples.length);
      for (const result of answered) expect(textOf(result)).toBe(textOf(expected.get(result.id)!));
      // What was being decoded may be tried again; what came behind it found that the files are other ones.
      expect(failed[0]).toMatchObject(changed(true));
      for (const result of failed) expect(result).toMatchObject({ error: { code: 'target_changed' } });
      expect(await answer(engine)).toMatchObject(changed(false));
      await writeOver(whole);
      expect(textOf((await collect(engine, samples)).get('s0')!)).toBe(textOf(expected.get('s0')!));
      expect(engine.pids().onnx).toBe(pid);
    });

    it('while nobody uses them are noticed at the next answer', async () => {
      const { engine } = await loaded();
      await answer(engine);
      await writeOver(other());
      expect(await answer(engine)).toMatchObject(changed(false));
    });

    it('and cut off are not read', async () => {
      const { engine, pid } = await loaded();
      await truncate(weights, 0);
      expect(await answer(engine)).toMatchObject(changed(false));
      expect(engine.pids().onnx).toBe(pid);
    });

    it('by the same bytes are verified again, and serve', async () => {
      const { engine } = await loaded();
      const before = await answer(engine);
      await writeOver(whole);
      expect(textOf(await answer(engine))).toBe(textOf(before));
    });

    it('are something else than a new file of the same name: who has the old one open keeps it', async () => {
      const { engine } = await loaded();
      const before = await answer(engine);
      await writeFile(`${weights}.new`, other());
      await rename(`${weights}.new`, weights);
      expect(textOf(await answer(engine))).toBe(textOf(before));
    });
  });
});

function textOf(result: SampleResult): string {
  if (!result.ok) throw new Error(result.error.message);
  return result.trace.text;
}
