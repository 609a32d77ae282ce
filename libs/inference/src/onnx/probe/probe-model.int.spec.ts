import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { summariseGraph } from '../graph-summary.js';
import { readModelDirectory } from '../model-directory.js';
import { ModelSession, type ModelSessionOptions } from '../model-session.js';
import { loadOrtLibrary } from '../../ort/ort-library.js';
import { GENERATED_LAYOUTS } from '../../testing/graphs/generated-layouts.fixture.js';
import { writeGeneratedModel } from '../../testing/graphs/write-generated-model.js';
import { type ProbeMeasurements } from './probe-measurements.js';
import { probeModel } from './probe-model.js';
import { probeVerdict } from './probe-verdict.js';
import { tightenRules } from './tighten-rules.js';

let folder: string;
const sessions: ModelSession[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-probe-'));
  for (const [name, options] of Object.entries(GENERATED_LAYOUTS)) await writeGeneratedModel(join(folder, name), options);
}, 60_000);
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function probe(
  name: string,
  options: Partial<ModelSessionOptions> = {},
): Promise<{ model: ModelSession; measured: ProbeMeasurements }> {
  const { graphPath, portNames } = await readModelDirectory(join(folder, name));
  const summary = await summariseGraph(graphPath, portNames);
  const model = await ModelSession.open(graphPath, summary, { threads: 1, takesAdapters: false, maxBatch: 8, ...options });
  sessions.push(model);
  return { model, measured: await probeModel(model, summary.loraSites.sites) };
}

describe('a probe', () => {
  it.each(Object.keys(GENERATED_LAYOUTS))('%s: finds nothing wrong, and the rules by its operators as strict as need be', async (name) => {
    const { model, measured } = await probe(name);
    const verdict = probeVerdict(measured);
    expect(verdict.flaws).toEqual([]);
    expect(tightenRules(model.rules, verdict)).toEqual(model.rules);
  });

  it('is the same every time, with more threads, and through the JavaScript API', async () => {
    const { measured } = await probe('gqa');
    expect((await probe('gqa', { threads: 2 })).measured).toEqual(measured);
    expect((await probe('gqa', { backend: 'ort-js' })).measured).toEqual(measured);
  });

  it.each(['gqa', 'plain', 'hybrid', 'gqa-fp16'])('%s: an adapter of rank 0 is none; one of rank 8 needs two rows', async (name) => {
    const { measured } = await probe(name, { takesAdapters: true });
    expect(measured.adapter).toMatchObject({ rankZero: true });
    expect(probeVerdict(measured).adapterMinRows).toBeLessThanOrEqual(2);
    expect(measured.adapter!.steps.at(-1)!.first).not.toBe(measured.steps.at(-1)!.first);
  });

  it('measures no more rows than it is told', async () => {
    const { model } = await probe('gqa');
    const { steps } = await probeModel(model, new Map(), 3);
    expect(steps.map(({ rows }) => rows)).toEqual([1, 2, 3]);
  });

  it('sees a prompt whose last token stands alone, and rows that are rounded together', async () => {
    expect((await probe('gqa')).measured).toMatchObject({ chunks: true, lastTokenAlone: expect.any(Boolean), neighbours: true });
    expect((await probe('gqa-dynamic8')).measured).toMatchObject({ chunks: null, neighbours: null, steps: [{ rows: 1 }] });
  });

  it('sees rows that are rounded together where the rules would let them', async () => {
    const { model } = await probe('gqa-dynamic8');
    const { session, layout, rules } = model;
    const loose = {
      session,
      layout,
      rules: { ...rules, maxRows: 4, chunkTokens: 512 },
      takesAdapters: false,
      adapter: model.adapter.bind(model),
      dropAdapter: model.dropAdapter.bind(model),
    };
    const verdict = probeVerdict(await probeModel(loose, new Map()));
    expect(verdict).toMatchObject({ minRows: 1, maxRows: 1, exactPrefill: true });
  });

  it('leaves no native object behind', async () => {
    const { library } = await loadOrtLibrary();
    const { model } = await probe('gqa', { takesAdapters: true });
    const before = library!.census.counts();
    await probeModel(model, new Map());
    expect(library!.census.counts()).toEqual(before);
  });
});
