import { mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { livingHolder, takeLock } from './start-lock.js';

describe('takeLock', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'kiln-lock-'));
    file = path.join(folder, 'lock');
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is taken, seen, and given back', async () => {
    const lock = await takeLock(file, 'up');
    expect(await livingHolder(file)).toMatchObject({ pid: process.pid, purpose: 'up' });
    expect(await takeLock(file, 'demo')).toMatchObject({ heldBy: { pid: process.pid, purpose: 'up' } });
    if ('release' in lock) await lock.release();
    expect(await livingHolder(file)).toBeNull();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1, start_mark: 'x', purpose: 'up' })],
    ['whose pid belongs to another process now', JSON.stringify({ pid: process.pid, start_mark: 'of an earlier one', purpose: 'up' })],
    ['that is empty', ''],
    ['that is damaged', '{"pid": '],
  ])('takes over a lock %s', async (_what, content) => {
    await writeFile(file, content);
    expect(await takeLock(file, 'up')).toHaveProperty('release');
  });

  it('lets exactly one of many take over a stale lock', async () => {
    for (let round = 0; round < 30; round += 1) {
      await writeFile(file, JSON.stringify({ pid: 2 ** 22 + 1, start_mark: 'x', purpose: 'up' }));
      const results = await Promise.all(Array.from({ length: 8 }, (_, index) => takeLock(path.join(folder, 'lock'), `starter ${index}`)));
      expect(results.filter((result) => 'release' in result)).toHaveLength(1);
      await rm(file);
    }
  });

  it('does not wait for ever for a takeover that a crash cut short', async () => {
    await writeFile(file, '');
    await mkdir(`${file}.takeover`);
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(`${file}.takeover`, longAgo, longAgo);
    expect(await takeLock(file, 'up')).toHaveProperty('release');
  });

  it('does not give back a lock that somebody else holds by now', async () => {
    const lock = await takeLock(file, 'up');
    await writeFile(file, JSON.stringify({ pid: 1, start_mark: 'x', purpose: 'up' }));
    if ('release' in lock) await lock.release();
    expect(await readFile(file, 'utf8')).toContain('"pid":1');
  });
});
