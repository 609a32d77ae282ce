import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FileMemo } from '../file-memo.js';
import { weightShards } from './weight-shards.js';

it('lists the graph and its external data by path, size and hash', async () => {
  const path = await mkdtemp(join(tmpdir(), 'kiln-shards-'));
  try {
    await mkdir(join(path, 'onnx'));
    await writeFile(join(path, 'onnx/model.onnx'), 'graph');
    await writeFile(join(path, 'onnx/model.onnx_data_1'), 'abc');
    await writeFile(join(path, 'onnx/a.onnx_data'), '');
    const directory = { path, graphPath: join(path, 'onnx/model.onnx') } as never;
    const summary = { sha256: 'd'.repeat(64), externalFiles: ['model.onnx_data_1', 'a.onnx_data'] } as never;
    expect(await weightShards(directory, summary, new FileMemo())).toEqual([
      // FIPS 180-2 has the digests of "" and "abc".
      { path: 'onnx/a.onnx_data', bytes: 0, sha256: 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' },
      { path: 'onnx/model.onnx', bytes: 5, sha256: `sha256:${'d'.repeat(64)}` },
      { path: 'onnx/model.onnx_data_1', bytes: 3, sha256: 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' },
    ]);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
});
