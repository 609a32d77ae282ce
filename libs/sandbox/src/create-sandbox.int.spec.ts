import { requireProgram } from '@kiln/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from './create-sandbox.js';
import { findPython } from './find-python.js';
import { inheritedDescriptors, withoutDescriptors } from './inherited-descriptors.js';
import { allGone, OPTIONS, pythonLines, ranIn } from './sandbox.fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'kiln-python-'));
afterAll(() => rmSync(folder, { recursive: true }));

function script(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

describe.skipIf(requireProgram('bwrap') === null)('a sandbox', () => {
  it('says that it is there, and with which Python', async () => {
    const python = (await findPython(null))?.executable;
    expect(await createSandbox(OPTIONS).available()).toEqual({ ok: true, confinement: 'bubblewrap', python, warning: null });
  });

  it('runs the interpreter behind a shim', async () => {
    const real = (await findPython(null))?.executable;
    const shim = script('shim', `#!/bin/sh\nexec ${real} "$@"\n`);
    const sandbox = createSandbox({ ...OPTIONS, python: shim });
    expect(await sandbox.available()).toMatchObject({ ok: true, warning: null });
    expect(await pythonLines(sandbox, 'import sys; print(sys.executable)')).toEqual([realpathSync(String(real))]);
  });

  it('does without Python where there is none, and says so when it is asked for', async () => {
    const sandbox = createSandbox({ ...OPTIONS, python: join(folder, 'absent') });
    expect(await sandbox.available()).toMatchObject({ ok: true, python: null, warning: expect.stringContaining('KILN_SANDBOX_PYTHON') });
    expect(await ranIn(sandbox, ['true'])).toMatchObject({ exitCode: 0 });
    const program = { argv: ['python3'] as const, files: {}, stdin: '', env: {}, timeoutMs: 5_000 };
    expect(await sandbox.runConfined(program, new AbortController().signal)).toMatchObject({ ok: false, code: 'sandbox_unavailable' });
  });

  it('is not there when it cannot be built, and nothing runs', async () => {
    // Less memory than a program needs to start.
    const sandbox = createSandbox({ ...OPTIONS, memory_bytes: 4096 });
    const availability = await sandbox.available();
    expect(availability).toMatchObject({
      ok: false,
      code: 'sandbox_unavailable',
      message: expect.stringContaining('KILN_SANDBOX_MODE=process'),
    });
    const program = { argv: ['true'] as const, files: {}, stdin: '', env: {}, timeoutMs: 5_000 };
    expect(await sandbox.runConfined(program, new AbortController().signal)).toEqual(availability);
  });
});

describe('without a sandbox', () => {
  const unconfined = createSandbox({ ...OPTIONS, mode: 'process' });

  it('says that it is none', async () => {
    expect(await unconfined.available()).toMatchObject({
      ok: true,
      confinement: 'process',
      warning: expect.stringContaining('without a sandbox'),
    });
    const { stdout, confinement } = await ranIn(unconfined, ['sh', '-c', 'cat a; cat; exit 0'], { files: { a: 'file ' }, stdin: 'input' });
    expect([stdout, confinement]).toEqual(['file input', 'process']);
  });

  it('still bounds time, output and files, and removes the directory', async () => {
    const own = () => readdirSync(tmpdir()).filter((name) => name.startsWith('kiln-code-'));
    const mark = String(200_000 + Math.random());
    const { timedOut, signal } = await ranIn(unconfined, ['sh', '-c', `trap "" TERM; sleep ${mark} & sleep ${mark}`], { timeoutMs: 300 });
    expect([timedOut, signal]).toEqual([true, 'SIGKILL']);
    expect(await allGone(mark)).toBe(true);
    expect(await ranIn(unconfined, ['yes'])).toMatchObject({ outputLimit: true });
    const { stdout } = await ranIn(unconfined, ['pwd']);
    expect(own()).not.toContain(stdout.trim().split('/').at(-1));
  });

  it('is not held up by what keeps the output open', async () => {
    const { durationMs, stdout } = await ranIn(unconfined, ['sh', '-c', 'setsid sleep 5 & echo done']);
    expect(stdout).toBe('done\n');
    expect(durationMs).toBeLessThan(4_000);
  });

  it('cannot start what does not exist', async () => {
    const program = { argv: ['kiln-no-such-program'] as const, files: {}, stdin: '', env: {}, timeoutMs: 5_000 };
    const result = await unconfined.runConfined(program, new AbortController().signal);
    expect(result.ok ? result.exitCode : result.code).toBe(process.platform === 'linux' ? 127 : 'sandbox_failed');
  });
});

describe.skipIf(process.platform !== 'linux')('inherited file descriptors', () => {
  it('are found and closed', async () => {
    const child = (command: readonly [string, ...string[]]) => {
      const [program, ...args] = withoutDescriptors([], command);
      return spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore', 'pipe', 'pipe'] });
    };
    const list = ['sh', '-c', 'for fd in 3 4; do [ -e /proc/self/fd/$fd ] && echo $fd; done'] as const;
    const read = async (command: readonly [string, ...string[]]) => {
      const listing = child(command);
      let text = '';
      listing.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
      await once(listing, 'close');
      return text;
    };
    expect(await read(list)).toBe('3\n4\n');
    expect(await read(withoutDescriptors([4], list))).toBe('3\n');
    expect(await inheritedDescriptors()).not.toContain(0);
  });
});
