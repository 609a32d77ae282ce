import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildEngine } from '../testing/build-engine.fixture.js';
import { longGraph, smallGraph } from './small-graph.fixture.js';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const COMPILED = file('../../dist/ort');
const MIB = 1024 * 1024;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-gc-'));
  await buildEngine();
});
afterAll(async () => rm(folder, { recursive: true }));

interface Seen {
  rss: number;
  census: Record<string, number>;
}

it('neither loses memory that native code uses nor keeps any', async () => {
  const graph = join(folder, 'product.onnx');
  await writeFile(
    graph,
    smallGraph({
      inputs: { x: ['float32', ['n', 2]], w: ['float32', [2, 2]] },
      outputs: { y: ['float32', ['n', 2]] },
      nodes: [['MatMul', ['x', 'w'], 'y']],
    }),
  );
  // A process of its own: collections are forced, and a bug of the kind that is looked for kills it.
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', file('gc-stress.fixture.mjs'), COMPILED, graph]);
  const seen = JSON.parse(stdout) as { allRight: boolean[]; isHandleKept: boolean; collections: number } & Record<
    'before' | 'after' | 'afterSessions' | 'closed',
    Seen
  >;
  expect(seen.allRight).toEqual([true]);
  expect(seen.isHandleKept).toBe(true);
  expect(seen.collections).toBeGreaterThan(10);
  // The tensor `w`, and what a session is made of.
  expect(seen.before.census).toEqual({ session: 1, binding: 1, 'run options': 1, 'memory info': 1, tensor: 1 });
  expect(seen.after.census).toEqual(seen.before.census);
  expect(seen.afterSessions.census).toEqual(seen.before.census);
  expect(seen.closed.census).toEqual({});
  expect((seen.after.rss - seen.before.rss) / MIB).toBeLessThan(8);
  expect((seen.afterSessions.rss - seen.after.rss) / MIB).toBeLessThan(16);
});

it('lets a process that exits in the middle of a run end well', async () => {
  const graph = join(folder, 'long.onnx');
  await writeFile(graph, longGraph(1000));
  const exit = promisify(execFile)(process.execPath, [file('exit-mid-run.fixture.mjs'), COMPILED, graph]);
  // 3, not a signal.
  await expect(exit).rejects.toMatchObject({ code: 3, signal: null, stderr: '' });
});
