import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { type BenchModel, copyTinyModel, writeBenchModel } from './bench-models.js';
import { higherLimits, measurePagedLimits } from './measure-paged-limits.js';
import { measureModel, type MeasuredModel, type MeasureOptions } from './measure-model.js';
import { measurePlatform } from './measure-platform.js';
import { closeAll, openContenders } from './open-contenders.js';
import { type EngineOptions } from './options.js';
import { type EngineReport } from './report.js';
import { summarise } from './summary.js';
import { FULL_SIZES, QUICK_SIZES } from './workload.js';

/** Measures the engine against others and against the machine: see the README of this folder. */
export async function runEngine(options: EngineOptions, onProgress: (line: string) => void): Promise<EngineReport> {
  if (process.platform !== 'linux') throw new Error('CPU time of other processes is read from /proc: this runs on Linux only');
  const { quick, rounds } = options;
  const sizes = quick ? QUICK_SIZES : FULL_SIZES;
  const environment = {
    Node: process.versions.node,
    CPU: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    threads: '1 each',
    weights: 'float32',
    sizes: quick ? 'quick: they say nothing' : 'full',
    rounds,
    // Anything above a few tenths here is other work on the machine: it takes cache and bandwidth, in CPU time too.
    'load before': loadavg()[0]!.toFixed(1),
  };
  const notices: string[] = [];
  const onNotice = (line: string): void => {
    notices.push(line);
    onProgress(line);
  };
  const folder = await mkdtemp(path.join(tmpdir(), 'kiln-bench-'));
  // After a signal, too: it holds half a gigabyte.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  try {
    const repeats = quick ? 3 : 20;
    const limitsBefore = await measurePagedLimits(repeats);
    const generated = await writeBenchModel(folder, quick);
    onProgress('wrote the models');
    const measure: MeasureOptions = { sizes, rounds, decode: true, onProgress };
    const models = [
      await withContenders(generated, options.python, measure, onNotice),
      await withContenders(await copyTinyModel(folder), false, { ...measure, decode: false }, onNotice),
    ];
    const platform = options.platform ? await measurePlatform(generated, { sizes, rounds, onProgress }) : null;
    const limits = higherLimits(limitsBefore, await measurePagedLimits(repeats));
    const { shape } = generated;
    const summary = summarise({ models, shape, sizes, limits, platform });
    return { environment, notices, limits, sizes, shape, models, platform, summary };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function withContenders(
  model: BenchModel,
  python: boolean,
  measure: MeasureOptions,
  onNotice: (line: string) => void,
): Promise<MeasuredModel> {
  const entries = await openContenders(model, { python, onNotice, onProgress: measure.onProgress });
  try {
    return await measureModel(model, entries, measure);
  } finally {
    await closeAll(entries);
  }
}
