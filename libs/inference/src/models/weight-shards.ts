import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type WeightShard } from '@kiln/contracts';
import { type FileMemo } from '../file-memo.js';
import { type GraphSummary } from '../onnx/graph-summary.js';
import { type ModelDirectory } from '../onnx/model-directory.js';
import { sha256File } from '../sha256-file.js';

/** The files that hold a model's weights, the graph itself and its external data, sorted by path. Hashes are taken from the memo. */
export async function weightShards({ path, graphPath }: ModelDirectory, summary: GraphSummary, memo: FileMemo): Promise<WeightShard[]> {
  const folder = join(graphPath, '..');
  const external = summary.externalFiles.map((name) => join(folder, name));
  const shards = [{ file: graphPath, sha256: summary.sha256 }];
  for (const file of external) shards.push({ file, sha256: await memo.of(file, 'sha256', sha256File) });
  const described = shards.map(async ({ file, sha256 }) => ({
    path: relative(path, file),
    bytes: (await stat(file)).size,
    sha256: `sha256:${sha256}`,
  }));
  return (await Promise.all(described)).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
