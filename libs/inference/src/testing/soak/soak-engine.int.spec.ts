import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildEngine } from '../build-engine.fixture.js';
import { MODELS } from '../onnx-target.fixture.js';

const program = fileURLToPath(new URL('../../../dist/testing/soak/main.js', import.meta.url));

beforeAll(buildEngine, 120_000);

describe('the engine under mixed jobs, adapters and cancels', () => {
  // The time that `npm run soak:engine` takes shows what grows slowly; this shows what is never freed.
  it('keeps its memory flat and frees every native object', { timeout: 90_000 }, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, '--models', MODELS, '--seconds', '20']).catch(
      (failure: { stdout?: string; message: string }) => ({ stdout: `${failure.stdout ?? ''}${failure.message}` }),
    );
    expect(stdout).toMatch(/no native object is left/);
    const [, resident] = /resident memory (?:grew|fell) by ([\d.]+) %/.exec(stdout) ?? [];
    // In so short a time the collector alone moves a few per cent.
    expect(Number(resident)).toBeLessThan(stdout.includes('fell') ? 100 : 20);
    expect(Number(/(\d+) cancelled(?![^]*cancelled)/.exec(stdout)?.[1])).toBeGreaterThan(3);
  });
});
