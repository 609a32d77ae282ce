import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FrozenModelTarget, KilnError } from '@kiln/contracts';
import { type FileMemo } from '../file-memo.js';
import { modelPath, modelVariant } from '../model-path.js';
import { UnsupportedModelError } from './unsupported-model-error.js';
import { contextLimit } from './context-limit.js';
import { adapterDigest, graphSummary, modelDigests } from './digests.js';
import { LoadedModel } from './loaded-model.js';
import { AdapterError, type PeftAdapter, readPeftAdapter } from './lora/peft-adapter.js';
import { readSafetensors, SafetensorsError } from './lora/safetensors.js';
import { readModelDirectory } from './model-directory.js';
import { openSession } from './open-session.js';
import { ChatTemplate, TemplateError } from './text/chat-template.js';
import { Tokenizer } from './text/tokenizer.js';

export interface LoadModelOptions {
  modelDir: string;
  threads: number;
  memo: FileMemo;
}

/**
 * Loads exactly what the target was frozen as.
 * @throws KilnError `model_not_found`, `adapter_not_found`, `target_changed` (a digest differs), `target_invalid` (files that
 *   match but cannot be run).
 */
export async function loadModel(target: FrozenModelTarget, { modelDir, threads, memo }: LoadModelOptions): Promise<LoadedModel> {
  try {
    const path = await modelPath(modelDir, target.model);
    const directory = await readModelDirectory(path, modelVariant(target.model));
    const summary = await graphSummary(directory, memo);
    for (const [digest, found] of Object.entries(await modelDigests(directory, summary, memo))) {
      verifyDigest(`${digest} of model ${target.model}`, target[digest as keyof FrozenModelTarget], found);
    }
    const adapter = await loadAdapter(target, path, memo);
    const session = await openSession(directory.graphPath, adapter, summary, threads);
    const reader = {
      tokenizer: new Tokenizer(directory.tokenizer),
      template: new ChatTemplate(directory.template, directory.specialTokens),
      contextTokens: contextLimit(directory, summary.layout),
    };
    // Quantised weights and fed adapters meet another kernel when a step has one row only.
    const minRows = summary.layout.quantisation !== null || adapter !== null ? 2 : 1;
    return new LoadedModel(session, reader, { endTokens: directory.endTokens, minRows });
  } catch (error) {
    if (error instanceof KilnError) throw error;
    const known =
      [UnsupportedModelError, AdapterError, SafetensorsError, TemplateError].some((kind) => error instanceof kind) || isFileError(error);
    const name = target.adapter === null ? target.model : `${target.model} with adapter ${target.adapter}`;
    const hint = known ? {} : { hint: 'the model’s files match their digests; the runtime or the tokenizer does not support them' };
    throw new KilnError('target_invalid', `model ${name} cannot be loaded: ${(error as Error).message}`, { ...hint, cause: error });
  }
}

async function loadAdapter(
  { model, adapter, adapter_digest: digest }: FrozenModelTarget,
  path: string,
  memo: FileMemo,
): Promise<PeftAdapter | null> {
  if (adapter === null) return null;
  const adapterPath = join(path, 'adapters', adapter);
  const missing = (cause: unknown) => new KilnError('adapter_not_found', `model ${model} has no adapter ${adapter} here`, { cause });
  const found = await adapterDigest(adapterPath, memo).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? missing(error) : error;
  });
  verifyDigest(`digest of adapter ${adapter} of model ${model}`, digest, found);
  return readAdapter(adapterPath);
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

function isFileError(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException).syscall === 'string';
}

function verifyDigest(what: string, frozen: unknown, found: string): void {
  if (frozen === found) return;
  throw new KilnError('target_changed', `${what} is ${found}; it was ${String(frozen)} when the job was admitted`, {
    hint: 'the files changed; restore them, or scan the models again and submit a new job',
  });
}
