import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ModelPublication } from '@kiln/contracts';
import { FileMemo } from '../file-memo.js';
import { isModelNameSegment } from '../model-path.js';
import { contextLimit } from '../onnx/context-limit.js';
import { ADAPTER_FILES, adapterDigest, graphSummary, modelDigests } from '../onnx/digests.js';
import { type GraphSummary } from '../onnx/graph-summary.js';
import { readAdapter } from '../onnx/load-model.js';
import { checkAdapterTargets } from '../onnx/lora/lora-sites.js';
import { looksLikeModel, modelVariants, readModelDirectory } from '../onnx/model-directory.js';
import { checkProviderFit } from '../onnx/provider-fit.js';
import { ChatTemplate } from '../onnx/text/chat-template.js';
import { Tokenizer } from '../onnx/text/tokenizer.js';
import { UnsupportedModelError } from '../onnx/unsupported-model-error.js';
import { type Provider } from '../ort/ort-session.js';
import { weightShards } from './weight-shards.js';

export interface ScanOptions {
  /** The pool of the worker that will serve the models. */
  pool?: string;
  /** Where the engine will compute. */
  provider?: Provider;
  /** Keep one across scans, so that files that did not change are not hashed again. */
  memo?: FileMemo;
  /** Only the model in this directory, with its variants and adapters. */
  only?: string;
}

/** A model as its files show it. */
export type ScannedModel = Omit<ModelPublication, 'execution_provenance'>;

export interface ModelScan {
  models: ScannedModel[];
  /** What looks like a model or adapter and cannot be served, with the reason; `path` within the scanned directory. */
  rejected: { path: string; reason: string }[];
}

/**
 * Finds the models below `modelDir` (`<name>` or `<organisation>/<name>`), their further graphs (`<name>@<variant>`, as
 * `@q4` for `model_q4.onnx`) and their adapters (`<model>/adapters/<name>`), checks that they can be served, and computes
 * their digests. Reads files only; runs no model. Sorted by name.
 */
export async function scanModels(
  modelDir: string,
  { pool = 'cpu', provider = { kind: 'cpu' }, memo = new FileMemo(), only }: ScanOptions = {},
): Promise<ModelScan> {
  const scan: ModelScan = { models: [], rejected: [] };
  if (only === undefined && (await looksLikeModel(modelDir))) {
    scan.rejected.push({ path: '.', reason: 'the model directory is itself a model; point to the directory that holds it' });
    return scan;
  }
  for (const name of only === undefined ? await findModels(modelDir, scan) : [only]) {
    for (const variant of [null, ...(await modelVariants(join(modelDir, name)))]) {
      const model = variant === null ? name : `${name}@${variant}`;
      try {
        scan.models.push({ ...(await publishModel(join(modelDir, name), model, variant, { memo, provider }, scan)), pool });
      } catch (error) {
        scan.rejected.push({ path: model, reason: reasonOf(error) });
      }
    }
  }
  return scan;
}

/** Names of the directories that hold models. A directory without one is looked into once, as an organisation. */
async function findModels(modelDir: string, scan: ModelScan): Promise<string[]> {
  const names: string[] = [];
  for (const name of await subdirectories(modelDir, scan)) {
    const path = join(modelDir, name);
    const candidates = (await looksLikeModel(path)) ? [name] : (await subdirectories(path, scan)).map((inner) => `${name}/${inner}`);
    for (const candidate of candidates) {
      if (candidate !== name && !(await looksLikeModel(join(modelDir, candidate)))) continue;
      if (candidate.split('/').every(isModelNameSegment)) names.push(candidate);
      else scan.rejected.push({ path: candidate, reason: 'its name cannot name a model; use letters, digits, ".", "_" and "-"' });
    }
  }
  return names;
}

async function publishModel(
  path: string,
  model: string,
  variant: string | null,
  { memo, provider }: { readonly memo: FileMemo; readonly provider: Provider },
  scan: ModelScan,
): Promise<Omit<ScannedModel, 'pool'>> {
  const directory = await readModelDirectory(path, variant);
  // Built to be checked: what fails here would fail in every job.
  new ChatTemplate(directory.template, directory.specialTokens);
  new Tokenizer(directory.tokenizer);
  const summary = await graphSummary(directory, memo);
  checkProviderFit(summary.layout, provider);
  const digests = await modelDigests(directory, summary, memo);
  const adapters = await publishAdapters(path, model, summary, memo, scan);
  const weight_shards = await weightShards(directory, summary, memo);
  return { model, engine: 'onnx', ...digests, adapters, context_tokens: contextLimit(directory, summary.layout), weight_shards };
}

async function publishAdapters(
  path: string,
  model: string,
  summary: GraphSummary,
  memo: FileMemo,
  scan: ModelScan,
): Promise<ModelPublication['adapters']> {
  const adapters: ModelPublication['adapters'] = [];
  for (const adapter of await subdirectories(join(path, 'adapters'), null)) {
    const adapterPath = join(path, 'adapters', adapter);
    try {
      if (!isModelNameSegment(adapter))
        throw new UnsupportedModelError('its name cannot name an adapter; use letters, digits, ".", "_" and "-"');
      const digest = await adapterDigest(adapterPath, memo);
      await memo.of(join(adapterPath, ADAPTER_FILES[1]!), `targets in ${summary.sha256} of ${digest}`, async () => {
        checkAdapterTargets(await readAdapter(adapterPath), summary.loraSites);
      });
      adapters.push({ adapter, adapter_digest: digest });
    } catch (error) {
      scan.rejected.push({ path: `${model}/adapters/${adapter}`, reason: reasonOf(error) });
    }
  }
  return adapters;
}

/** Names of the directories in `path`, sorted. A path that cannot be read has none; it is reported when `scan` is given. */
async function subdirectories(path: string, scan: ModelScan | null): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    // Models of a download cache are symbolic links.
    return entries
      .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .toSorted();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOTDIR') scan?.rejected.push({ path, reason: reasonOf(error) });
    return [];
  }
}

function reasonOf(error: unknown): string {
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return `${path ?? 'it'} does not exist`;
  if (code === 'EACCES') return `${path ?? 'it'} may not be read`;
  return message;
}
