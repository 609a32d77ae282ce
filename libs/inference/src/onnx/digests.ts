import { join, relative } from 'node:path';
import { DOMAINS, domainHash } from '@kiln/provenance';
import { type FileMemo } from '../file-memo.js';
import { sha256File } from '../sha256-file.js';
import { type GraphSummary, summariseGraph } from './graph-summary.js';
import { type ModelDirectory } from './model-directory.js';

export interface ModelDigests {
  model_digest: string;
  tokenizer_digest: string;
  template_digest: string;
}

export const ADAPTER_FILES = ['adapter_config.json', 'adapter_model.safetensors'];

/** The graph's summary, computed once while the file stays the same. @throws UnsupportedModelError */
export function graphSummary(directory: ModelDirectory, memo: FileMemo): Promise<GraphSummary> {
  const { graphPath, portNames } = directory;
  return memo.of(graphPath, `graph summary ${portNames.signature}`, (path) => summariseGraph(path, portNames));
}

/**
 * The identities of a model: graph, external weights and configuration; tokenizer; chat template. Names count, too: a
 * graph refers to its external weights by name.
 */
export async function modelDigests(directory: ModelDirectory, summary: GraphSummary, memo: FileMemo): Promise<ModelDigests> {
  const { path, graphPath, configFiles, tokenizer, template } = directory;
  const weights = summary.externalFiles.map((name) => relative(path, join(graphPath, '..', name)));
  const files = await fileDigests(path, [...weights, ...configFiles], memo);
  return {
    model_digest: domainHash(DOMAINS.model, { files: { ...files, [relative(path, graphPath)]: summary.sha256 } }),
    tokenizer_digest: domainHash(DOMAINS.tokenizer, { files: await fileDigests(path, tokenizer.files, memo) }),
    template_digest: domainHash(DOMAINS.chatTemplate, { default: template.default, tool_use: template.toolUse }),
  };
}

/** The identity of an adapter: its configuration and its weights. */
export async function adapterDigest(path: string, memo: FileMemo): Promise<string> {
  return domainHash(DOMAINS.adapter, { files: await fileDigests(path, ADAPTER_FILES, memo) });
}

async function fileDigests(directory: string, names: readonly string[], memo: FileMemo): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const name of names) digests[name] = await memo.of(join(directory, name), 'sha256', sha256File);
  return digests;
}
