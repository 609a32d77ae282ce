import { cpus } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { FileMemo } from '../file-memo.js';
import { scanModels, type ScannedModel } from '../models/scan-models.js';
import { looksLikeModel } from '../onnx/model-directory.js';
import { checkModel } from './check-model.js';
import { fairClock } from './clock.js';
import { measureMachine } from './machine-limits.js';
import { type MachineFacts, type ModelCheck, type ModelsCheck } from './model-check.js';

export interface CheckOptions {
  /** Answer with this adapter, in those models that have it. */
  readonly adapter?: string;
  /** Of the runtime, per step. */
  readonly threads: number;
  readonly onProgress?: (line: string) => void;
}

/**
 * Checks the models in a directory, or the one model that it is: what registration would refuse, and what happens when those that it accepts
 * are run. Loads one after the other, in this process.
 */
export async function checkModels(directory: string, { adapter, threads, onProgress = () => {} }: CheckOptions): Promise<ModelsCheck> {
  const path = resolve(directory);
  const isModel = await looksLikeModel(path);
  const modelDir = isModel ? dirname(path) : path;
  const memo = new FileMemo();
  onProgress(`reading ${path}`);
  const { models, rejected } = await scanModels(modelDir, { memo, ...(isModel && { only: basename(path) }) });
  const chosen = adapter === undefined ? models : models.filter((model) => hasAdapter(model, adapter));
  const machine = chosen.length === 0 ? null : await machineFacts(threads, onProgress);
  const checks: ModelCheck[] = [];
  for (const publication of chosen) {
    onProgress(`running ${publication.model}`);
    checks.push(await checkModel(publication, { modelDir, memo, adapter: adapter ?? null, machine: machine! }));
  }
  return {
    machine,
    models: checks,
    rejected: [...rejected, ...(adapter !== undefined && chosen.length === 0 ? [noAdapter(adapter)] : [])],
    ok: checks.length > 0 && rejected.length === 0 && checks.every(({ flaws }) => flaws.length === 0),
  };
}

async function machineFacts(threads: number, onProgress: (line: string) => void): Promise<MachineFacts> {
  onProgress('measuring the machine');
  const clock = fairClock(threads);
  const limits = await measureMachine({ threads, clock });
  return { processor: cpus()[0]?.model.trim() ?? 'unknown', threads, clock, ...limits };
}

function hasAdapter({ adapters }: ScannedModel, name: string): boolean {
  return adapters.some(({ adapter }) => adapter === name);
}

function noAdapter(adapter: string): ModelsCheck['rejected'][number] {
  return { path: `adapters/${adapter}`, reason: 'no model here has this adapter, or it was refused' };
}
