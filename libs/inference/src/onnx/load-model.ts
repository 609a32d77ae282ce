import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FrozenModelTarget, KilnError } from '@kiln/contracts';
import { type FileMemo } from '../file-memo.js';
import { modelPath, modelVariant } from '../model-path.js';
import { contextLimit } from './context-limit.js';
import { adapterDigest, graphSummary, modelDigests } from './digests.js';
import { type GraphSummary } from './graph-summary.js';
import { type LoadedModel } from './loaded-model.js';
import { checkAdapterTargets } from './lora/lora-sites.js';
import { AdapterError, type PeftAdapter, readPeftAdapter } from './lora/peft-adapter.js';
import { readSafetensors, SafetensorsError } from './lora/safetensors.js';
import { type ModelDirectory, readModelDirectory } from './model-directory.js';
import { type PromptReader } from './prepare-prompt.js';
import { ChatTemplate, TemplateError } from './text/chat-template.js';
import { Tokenizer } from './text/tokenizer.js';
import { UnsupportedModelError } from './unsupported-model-error.js';

export interface LoadModelOptions {
  modelDir: string;
  memo: FileMemo;
}

/** A model's files, found to be those that a target was frozen with. */
export interface VerifiedModel {
  directory: ModelDirectory;
  summary: GraphSummary;
  /** Bytes of the graph and of its weights. */
  weightBytes: number;
  /** There are adapters beside it. */
  hasAdapters: boolean;
}

/** @throws KilnError `model_not_found`, `target_changed` (a digest differs), `target_invalid` (files that match but cannot be run) */
export function verifyModel(target: FrozenModelTarget, { modelDir, memo }: LoadModelOptions): Promise<VerifiedModel> {
  return naming(target, async () => {
    const path = await modelPath(modelDir, target.model);
    const directory = await readModelDirectory(path, modelVariant(target.model));
    const summary = await graphSummary(directory, memo);
    for (const [digest, found] of Object.entries(await modelDigests(directory, summary, memo))) {
      verifyDigest(`${digest} of model ${target.model}`, target[digest as keyof FrozenModelTarget], found);
    }
    const folder = dirname(directory.graphPath);
    const files = [directory.graphPath, ...summary.externalFiles.map((name) => join(folder, name))];
    const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
    const adapters = await readdir(join(path, 'adapters')).catch(() => []);
    return { directory, summary, weightBytes: sizes.reduce((sum, size) => sum + size, 0), hasAdapters: adapters.length > 0 };
  });
}

/**
 * Prepares to serve exactly what the target was frozen as: all files are checked, the adapter's, too.
 * @throws KilnError as `verifyModel`, and `adapter_not_found`
 */
export function loadModel(
  target: FrozenModelTarget,
  { directory, summary }: VerifiedModel,
  reader: PromptReader,
  { memo }: LoadModelOptions,
): Promise<LoadedModel> {
  return naming(target, async () => {
    const read = () => naming(target, () => readTargetAdapter(target, directory.path, memo));
    if (target.adapter !== null) checkAdapterTargets(await read(), summary.loraSites);
    return {
      target,
      sessionKey: sessionKey(target),
      reader,
      endTokens: new Set(directory.endTokens),
      adapterKey: target.adapter_digest,
      readAdapter: read,
    };
  });
}

/** Equal for targets that differ in nothing but the adapter. */
export function sessionKey({ model, model_digest, tokenizer_digest, template_digest }: FrozenModelTarget): string {
  return [model, model_digest, tokenizer_digest, template_digest].join(' ');
}

/** @throws KilnError `target_invalid` */
export function newReader(target: FrozenModelTarget, { directory, summary }: VerifiedModel): Promise<PromptReader> {
  return naming(target, async () => ({
    tokenizer: new Tokenizer(directory.tokenizer),
    template: new ChatTemplate(directory.template, directory.specialTokens),
    contextTokens: contextLimit(directory, summary.layout),
  }));
}

async function readTargetAdapter(
  { model, adapter, adapter_digest: digest }: FrozenModelTarget,
  path: string,
  memo: FileMemo,
): Promise<PeftAdapter> {
  const adapterPath = join(path, 'adapters', adapter!);
  const missing = (cause: unknown) => new KilnError('adapter_not_found', `model ${model} has no adapter ${adapter} here`, { cause });
  const verify = async () => {
    const found = await adapterDigest(adapterPath, memo).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? missing(error) : error;
    });
    verifyDigest(`digest of adapter ${adapter} of model ${model}`, digest, found);
  };
  await verify();
  try {
    return await readAdapter(adapterPath);
  } finally {
    // They may have been written to meanwhile. Hashes are remembered until they are.
    await verify();
  }
}

/** @throws AdapterError, SafetensorsError */
export async function readAdapter(path: string): Promise<PeftAdapter> {
  const text = await readFile(join(path, 'adapter_config.json'), 'utf8');
  let config: unknown;
  try {
    config = JSON.parse(text);
  } catch (cause) {
    throw new AdapterError(`adapter_config.json is not JSON: ${(cause as Error).message}`, { cause });
  }
  return readPeftAdapter(config, readSafetensors(await readFile(join(path, 'adapter_model.safetensors'))));
}

/** What fails is said of the target. @throws KilnError */
export async function naming<T>(target: FrozenModelTarget, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof KilnError) throw error;
    const known =
      [UnsupportedModelError, AdapterError, SafetensorsError, TemplateError].some((kind) => error instanceof kind) || isFileError(error);
    const name = target.adapter === null ? target.model : `${target.model} with adapter ${target.adapter}`;
    const hint = known ? {} : { hint: 'the model’s files match their digests; the runtime or the tokenizer does not support them' };
    throw new KilnError('target_invalid', `model ${name} cannot be loaded: ${(error as Error).message}`, { ...hint, cause: error });
  }
}

function isFileError(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).syscall === 'string';
}

function verifyDigest(what: string, frozen: unknown, found: string): void {
  if (frozen === found) return;
  throw new KilnError('target_changed', `${what} is ${found}; it was ${String(frozen)} when the job was admitted`, {
    hint: 'the files changed; restore them, or scan the models again and submit a new job',
  });
}
