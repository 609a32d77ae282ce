import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FileMemo } from './file-memo.js';

let directory: string;
beforeAll(async () => (directory = await mkdtemp(join(tmpdir(), 'kiln-memo-'))));
afterAll(() => rm(directory, { recursive: true }));

it('computes once per content and purpose, and again after a failure', async () => {
  const path = join(directory, 'file');
  await writeFile(path, 'one');
  const memo = new FileMemo();
  const calls: string[] = [];
  const compute = (purpose: string) => memo.of(path, purpose, async () => calls.push(purpose));
  await Promise.all([compute('a'), compute('a'), compute('b')]);
  await writeFile(path, 'three');
  await compute('a');
  expect(calls).toEqual(['a', 'b', 'a']);

  const failing = () => memo.of(path, 'c', async () => Promise.reject(new Error(`failure ${calls.push('c')}`)));
  await expect(failing()).rejects.toThrow('failure 4');
  await expect(failing()).rejects.toThrow('failure 5');
  await expect(memo.of(join(directory, 'none'), 'a', async () => 1)).rejects.toMatchObject({ code: 'ENOENT' });
});
