import { appendFile, chmod, mkdtemp, open, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { WeightFiles } from './weight-files.js';

describe('WeightFiles', () => {
  let folder: string;
  let paths: string[];
  let files: WeightFiles;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kiln-weights-'));
    paths = ['a', 'b'].map((name) => join(folder, name));
    for (const path of paths) await writeFile(path, 'weights');
    files = await WeightFiles.open(paths);
    return async () => {
      await files.close();
      await rm(folder, { recursive: true });
    };
  });

  const writeOver = async (path: string) => {
    const file = await open(path, 'r+');
    await file.write('W', 0);
    await file.close();
  };

  it('are unchanged while nobody writes', async () => {
    await chmod(paths[1]!, 0o600);
    expect(files.areUnchanged).toBe(true);
    files.check();
    await files.checkPaths();
  });

  it.for<[string, (path: string) => Promise<void>]>([
    ['written over', writeOver],
    ['made longer', (path) => appendFile(path, '!')],
    ['cut off', (path) => writeFile(path, '')],
    ['given another time', (path) => utimes(path, 1, 1)],
  ])('are changed when one is %s', async ([, change]) => {
    await change(paths[1]!);
    expect(files.areUnchanged).toBe(false);
    expect(() => files.check()).toThrow(expect.objectContaining({ code: 'target_changed', message: expect.stringMatching(/^b was/) }));
    await expect(files.checkPaths()).rejects.toMatchObject({ code: 'target_changed' });
  });

  it('stay what they were when another takes the place of one, which only its path tells', async () => {
    await writeFile(join(folder, 'c'), 'weights');
    await rename(join(folder, 'c'), paths[0]!);
    files.check();
    await expect(files.checkPaths()).rejects.toMatchObject({ code: 'target_changed', message: expect.stringContaining('a was replaced') });
  });

  it('stay what they were when they are deleted', async () => {
    await rm(paths[0]!);
    files.check();
  });

  it.runIf(process.platform === 'linux')('are closed again when one of them cannot be opened', async () => {
    const handles = () => readdir('/proc/self/fd').then(({ length }) => length);
    const before = await handles();
    await expect(WeightFiles.open([...paths, join(folder, 'none')])).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await handles()).toBe(before);
    const opened = await WeightFiles.open(paths);
    onTestFinished(() => opened.close());
    expect(await handles()).toBe(before + 2);
  });
});
