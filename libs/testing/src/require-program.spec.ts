import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requireProgram } from './require-program.js';

describe('requireProgram', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kiln-require-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('finds a program on the PATH', () => {
    expect(requireProgram('sh', undefined, { PATH: `${folder}:/bin` })).toBe('/bin/sh');
  });

  it('records a missing program once per call, with the way to get it', () => {
    const file = join(folder, 'skips.jsonl');
    const env = { PATH: folder, KILN_SKIPS_FILE: file };
    expect(requireProgram('redis-server', undefined, env)).toBeNull();
    expect(requireProgram('nothing-like-it', 'build it', env)).toBeNull();
    expect(
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { program: 'redis-server', howToGet: expect.stringContaining('apt-get install redis-server') },
      { program: 'nothing-like-it', howToGet: 'build it' },
    ]);
  });

  it('refuses to skip with KILN_REQUIRE=all', () => {
    expect(() => requireProgram('redis-server', undefined, { PATH: folder, KILN_REQUIRE: 'all' })).toThrow(
      /redis-server is not on the PATH.*apt-get install/,
    );
  });
});
