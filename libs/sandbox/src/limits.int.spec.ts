import { forkModule, requireProgram } from '@kiln/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createSandbox } from './create-sandbox.js';
import { MAX_OPEN_FILES, MAX_OUTPUT_BYTES } from './sandbox-options.js';
import { allGone, OPTIONS, processesWith, pythonLines, ranIn } from './sandbox.fixture.js';

const sandbox = createSandbox(OPTIONS);
const MIB = 1024 * 1024;

/** Seconds for `sleep` that no other process sleeps: so its processes are found. */
const uniqueSeconds = () => String(100_000 + Math.random() * 900_000);

describe.skipIf(requireProgram('bwrap') === null)('a program that', () => {
  it('forks for ever stays within its number of processes', async () => {
    const fork = `
import os, time
children = 0
while True:
    try: pid = os.fork()
    except OSError: break
    if pid == 0: time.sleep(60); os._exit(0)
    children += 1
    if children > 1000: break
print(children)
`;
    const [children] = (await pythonLines(sandbox, fork)).map(Number);
    expect(children).toBeGreaterThan(OPTIONS.max_processes / 2);
    expect(children).toBeLessThan(OPTIONS.max_processes);
  });

  it('is a fork bomb ends at its time, and nothing of it is left', async () => {
    const mark = uniqueSeconds();
    const bomb = `bomb() { bomb | bomb & sleep ${mark}; }; bomb; while :; do :; done`;
    const { timedOut, durationMs } = await ranIn(sandbox, ['bash', '-c', bomb], { timeoutMs: 500 });
    expect(timedOut).toBe(true);
    expect(durationMs).toBeLessThan(2_500);
    expect(await allGone(mark)).toBe(true);
  });

  it('fills the disk finds it small', async () => {
    const fill = `
import os
total = 0
for number, folder in enumerate(['/tmp', '/tmp/work', '/dev/shm', '/var', '/dev', '/']):
    for part in range(8):
        try:
            with open(f'{folder}/{number}-{part}', 'wb', buffering=0) as file:
                while True:
                    wrote = file.write(b'x' * 65536)
                    total += wrote
                    if wrote == 0: break
        except OSError: pass
print(total)
`;
    const [total] = (await pythonLines(sandbox, fill)).map(Number);
    expect(total).toBeGreaterThan(OPTIONS.disk_bytes / 2);
    expect(total).toBeLessThanOrEqual(OPTIONS.disk_bytes + MIB);
  });

  it.each([
    ['standard output', 'yes', 'stdout'],
    ['standard error', 'yes >&2', 'stderr'],
  ] as const)('prints for ever to %s is ended', async (_, script, stream) => {
    const result = await ranIn(sandbox, ['sh', '-c', script]);
    expect(result).toMatchObject({ outputLimit: true, timedOut: false, exitCode: null, signal: 'SIGKILL' });
    expect(result[stream]).toHaveLength(MAX_OUTPUT_BYTES);
    expect(result.durationMs).toBeLessThan(5_000);
  });

  it('prints up to the limit is not', async () => {
    const { stdout, outputLimit, exitCode } = await ranIn(sandbox, ['head', '-c', String(MAX_OUTPUT_BYTES), '/dev/zero']);
    expect([stdout.length, outputLimit, exitCode]).toEqual([MAX_OUTPUT_BYTES, false, 0]);
  });

  it.each([
    ['ignores signals', 'trap "" TERM INT HUP QUIT; while :; do sleep 1; done'],
    ['stops itself', 'kill -STOP $$'],
    ['closes its output and goes on', 'exec >&- 2>&- <&-; sleep 60'],
    ['uses the processor', 'while :; do :; done & while :; do :; done'],
  ])('%s ends at its time', async (_, script) => {
    const result = await ranIn(sandbox, ['sh', '-c', script], { timeoutMs: 400 });
    expect(result).toMatchObject({ timedOut: true, exitCode: null, signal: 'SIGKILL' });
    expect(result.durationMs).toBeGreaterThanOrEqual(399);
    expect(result.durationMs).toBeLessThan(2_400);
  });

  it('never reads its input does not hold anyone up', async () => {
    const stdin = 'x'.repeat(8 * MIB);
    expect(await ranIn(sandbox, ['true'], { stdin })).toMatchObject({ exitCode: 0, timedOut: false });
    expect(await ranIn(sandbox, ['sleep', '60'], { stdin, timeoutMs: 300 })).toMatchObject({ timedOut: true });
    expect((await ranIn(sandbox, ['wc', '-c'], { stdin })).stdout.trim()).toBe(String(8 * MIB));
  });

  it('wants much memory gets none', async () => {
    const grow = `
import mmap
def most(make):
    parts = []
    try:
        while len(parts) < 4096: parts.append(make())
    except (MemoryError, OSError): pass
    return len(parts)
print(most(lambda: bytearray(1048576)))
print(most(lambda: mmap.mmap(-1, 1048576)))
`;
    for (const mebibytes of (await pythonLines(sandbox, grow)).map(Number)) {
      expect(mebibytes).toBeGreaterThan(64);
      expect(mebibytes * MIB).toBeLessThan(OPTIONS.memory_bytes);
    }
  });

  it('opens many files runs out of them', async () => {
    const open = `
import os
files = []
try:
    while len(files) < 100000: files.append(os.open('/dev/null', 0))
except OSError: pass
print(len(files))
`;
    expect((await pythonLines(sandbox, open)).map(Number)[0]).toBeLessThan(MAX_OPEN_FILES);
  });

  it('kills all that it can kills only itself', async () => {
    const bystander = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {});
    const result = await ranIn(sandbox, ['bash', '-c', 'sleep 60 & kill -KILL -1; kill -KILL 1; kill -KILL $$']);
    expect(result.timedOut).toBe(false);
    expect(result.exitCode).not.toBe(0);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    bystander.kill();
    await once(bystander, 'exit');
  });

  it('prints what is not text is read all the same', async () => {
    const { stdout } = await ranIn(sandbox, ['printf', 'a\\377\\376\\000b']);
    expect(stdout).toBe('a\uFFFD\uFFFD\0b');
  });
});

describe.skipIf(requireProgram('bwrap') === null)('nothing is left behind', () => {
  /** Two generations away, in a session of its own, its output closed. */
  const leave = (mark: string, then: string) =>
    `(setsid sh -c "sleep ${mark} & sleep ${mark}" </dev/null >/dev/null 2>&1 &); sleep 0.1; ${then}`;

  it('when the program ends', async () => {
    const mark = uniqueSeconds();
    expect(await ranIn(sandbox, ['sh', '-c', leave(mark, 'exit 3')])).toMatchObject({ exitCode: 3 });
    expect(await allGone(mark)).toBe(true);
  });

  it('when its time is over', async () => {
    const mark = uniqueSeconds();
    expect(await ranIn(sandbox, ['sh', '-c', leave(mark, 'sleep 60')], { timeoutMs: 500 })).toMatchObject({ timedOut: true });
    expect(await allGone(mark)).toBe(true);
  });

  it('when its caller gives up', async () => {
    const mark = uniqueSeconds();
    const caller = new AbortController();
    const program = { argv: ['sh', '-c', leave(mark, 'sleep 60')] as const, files: {}, stdin: '', env: {}, timeoutMs: 60_000 };
    const run = sandbox.runConfined(program, caller.signal);
    while (processesWith(`sleep\0${mark}`).length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    caller.abort(new Error('cancelled'));
    await expect(run).rejects.toThrow('cancelled');
    expect(await allGone(mark)).toBe(true);
    await expect(sandbox.runConfined(program, caller.signal)).rejects.toThrow('cancelled');
  });

  it('when the worker is killed', async () => {
    const mark = uniqueSeconds();
    const worker = forkModule(new URL('./hold-sandbox.fixture.ts', import.meta.url), [mark]);
    while (processesWith(`sleep\0${mark}`).length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    expect(await allGone(mark)).toBe(true);
  });

  it('as it is without a sandbox', async () => {
    const mark = uniqueSeconds();
    await ranIn(createSandbox({ ...OPTIONS, mode: 'process' }), ['sh', '-c', leave(mark, 'exit 0')]);
    const left = processesWith(mark);
    expect(left.length).toBeGreaterThan(0);
    left.forEach((pid) => process.kill(pid, 'SIGKILL'));
    expect(await allGone(mark)).toBe(true);
  });
});

describe.skipIf(requireProgram('bwrap') === null)('the result', () => {
  it.each([0, 1, 2, 255])('has the exit code %i', async (code) => {
    expect(await ranIn(sandbox, ['sh', '-c', `exit ${code}`])).toMatchObject({ exitCode: code, confinement: 'bubblewrap' });
  });

  it('tells a sandbox that failed from a program that failed', async () => {
    const files = { big: 'x'.repeat(OPTIONS.disk_bytes + MIB) };
    const program = { argv: ['true'] as const, files, stdin: '', env: {}, timeoutMs: 10_000 };
    expect(await sandbox.runConfined(program, new AbortController().signal)).toMatchObject({ ok: false, code: 'sandbox_failed' });
    const wide = { ...program, files: {}, env: { WIDE: 'x'.repeat(200_000) } };
    expect(await sandbox.runConfined(wide, new AbortController().signal)).toMatchObject({ ok: false, code: 'sandbox_failed' });
    for (const name of ['../x', '/etc/x', '..', 'a/b', '']) {
      expect(await sandbox.runConfined({ ...program, files: { [name]: '' } }, new AbortController().signal)).toMatchObject({
        ok: false,
        code: 'sandbox_failed',
      });
    }
    expect(await sandbox.runConfined({ ...program, files: {}, argv: ['echo', 'a\0b'] }, new AbortController().signal)).toMatchObject({
      ok: false,
    });
  });

  it('has files, input and environment as they were given', async () => {
    const text = 'line\n\u{1F600} "quoted" $HOME\n';
    const script = 'cat a.txt; cat; printf %s "$EXTRA"; env -u EXTRA | cut -d= -f1 | sort';
    const { stdout } = await ranIn(sandbox, ['sh', '-c', script], {
      files: { 'a.txt': text, empty: '' },
      stdin: text,
      env: { EXTRA: text },
    });
    expect(stdout).toBe(`${text}${text}${text}HOME\nLANG\nPATH\nPWD\nTMPDIR\n`);
  });

  it('is right for many at a time', async () => {
    const runs = Array.from({ length: 12 }, (_, index) => ranIn(sandbox, ['sh', '-c', `cat; exit ${index}`], { stdin: String(index) }));
    expect((await Promise.all(runs)).map(({ stdout, exitCode }) => [stdout, exitCode])).toEqual(
      Array.from({ length: 12 }, (_, index) => [String(index), index]),
    );
  });
});
