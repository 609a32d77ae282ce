import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { cudaOptions } from './ort-c-options.js';
import { bindOrtFunctions, LIBRARY_VERSION } from './ort-functions.js';
import { loadOrtLibrary, type OrtLibrary, ortLibraryPath } from './ort-library.js';

async function load(): Promise<OrtLibrary> {
  const { library } = await loadOrtLibrary();
  expect(library).not.toBeNull();
  return library!;
}

describe('the library', () => {
  it('is the one of the pinned package', async () => {
    const { version } = createRequire(import.meta.url)('onnxruntime-node/package.json') as { version: string };
    expect(LIBRARY_VERSION).toBe(version);
    await load();
  });

  it('is refused when it is of another version', async () => {
    const { koffi } = await load();
    const handle = koffi.load(ortLibraryPath(process.platform, process.arch)!);
    expect(() => bindOrtFunctions(koffi, handle, '1.31.0')).toThrow('onnxruntime 1.30.0 was found, 1.31.0 is needed');
  });

  it.each([
    ['linux', 'x64', /linux\/x64\/libonnxruntime\.so\.1$/],
    ['linux', 'arm64', /linux\/arm64\/libonnxruntime\.so\.1$/],
    ['darwin', 'arm64', /darwin\/arm64\/libonnxruntime\.1\.dylib$/],
  ])('is shipped for %s %s', (system, processor, path) => {
    const found = ortLibraryPath(system, processor);
    expect(found).toMatch(path);
    expect(existsSync(found!)).toBe(true);
  });

  it.each([
    ['darwin', 'x64'],
    ['win32', 'x64'],
    ['linux', 'riscv64'],
  ])('is not looked for on %s %s', (system, processor) => {
    expect(ortLibraryPath(system, processor)).toBeNull();
  });

  it('is loaded once', async () => {
    expect(await loadOrtLibrary()).toBe(await loadOrtLibrary());
  });

  it('frees the status of an error', async () => {
    const library = await load();
    const options = library.own('session options', library.call.ReleaseSessionOptions, (out) => library.call.CreateSessionOptions(out));
    // The message has the path in it.
    const path = `/nowhere/${'long/'.repeat(800)}`;
    const fail = (times: number) => {
      for (let index = 0; index < times; index++) {
        expect(library.takeError(library.call.CreateSession(library.env, path, options.address, [null]))?.message).toContain(path);
      }
      return process.memoryUsage().rss;
    };
    const before = fail(1000);
    expect(fail(5000) - before).toBeLessThan(12 * 1024 * 1024);
    options.release();
  });
});

describe('cudaOptions', () => {
  it('turns TF32 off, and lets the arena grow by what is needed', () => {
    expect(cudaOptions({ kind: 'cuda', deviceId: 1 })).toEqual({
      device_id: '1',
      use_tf32: '0',
      arena_extend_strategy: 'kSameAsRequested',
    });
  });
});
