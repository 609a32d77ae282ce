import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { encodeOnnx, parseOnnx } from '../onnx/graph/onnx-model.js';
import { toFloat16 } from '../testing/converted-graph.fixture.js';
import { copyGraph } from './copy-graph.js';
import { greedy } from './greedy.fixture.js';
import { openOrtSession } from './open-ort-session.js';
import { ELEMENTS, type OrtArray, type OrtElement } from './ort-element.js';
import { loadOrtLibrary } from './ort-library.js';
import { type OrtSession, type OrtTensor, type OrtTensors } from './ort-session.js';
import { adaptedGraph, longGraph, productGraph, smallGraph } from './small-graph.fixture.js';

const MODELS = fileURLToPath(new URL('../../../../models/', import.meta.url));
const GROUPED = `${MODELS}tiny-arith/onnx/model.onnx`;
const PLAIN = `${MODELS}tiny-arith-plain/onnx/model.onnx`;
const PROMPT = [5, 17, 300, 42, 8, 91, 250, 3, 77];

const sessions: OrtSession[] = [];
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
  const { library } = await loadOrtLibrary();
  const left = JSON.stringify(library?.census.counts() ?? {});
  if (left !== '{}') throw new Error(`native objects are left: ${left}`);
});

async function open(graph: string | Uint8Array, backend?: 'ort-c' | 'ort-js', threads = 1): Promise<OrtSession> {
  const session = await openOrtSession(graph, { threads, ...(backend === undefined ? {} : { backend }) });
  sessions.push(session);
  return session;
}

const floats = (session: OrtSession, shape: number[], ...values: number[]) =>
  session.newTensor('float32', shape, Float32Array.from(values));

describe.each(['ort-c', 'ort-js'] as const)('%s', (backend) => {
  it('says what a graph takes and gives', async () => {
    const session = await open(adaptedGraph(), backend);
    expect(session).toMatchObject({ backend, provider: 'cpu', hasOwnMemory: false });
    expect(session.inputs).toEqual([{ name: 'x', type: 'float32', shape: ['n', 2] }]);
    expect(session.outputs).toEqual([{ name: 'y', type: 'float32', shape: ['n', 2] }]);
    const feedable = [
      { name: 'a', type: 'float32', shape: [2, 'rank'] },
      { name: 'b', type: 'float32', shape: ['rank', 2] },
    ];
    expect(session.initializers).toEqual(backend === 'ort-c' ? feedable : []);
  });

  it('computes', async () => {
    const session = await open(productGraph(), backend);
    const x = floats(session, [3, 2], 1, 0, 0, 1, 1, 1);
    const y = session.newTensor('float32', [3, 2]);
    await session.run({ x }, { y });
    expect([...y.data]).toEqual([1, 2, 3, 4, 4, 6]);
  });

  it('reads memory that changed since the last run, and other tensors', async () => {
    const session = await open(productGraph(), backend);
    const x = floats(session, [1, 2], 1, 0);
    const y = session.newTensor('float32', [1, 2]);
    await session.run({ x }, { y });
    x.data.set([0, 1]);
    await session.run({ x }, { y });
    expect([...y.data]).toEqual([3, 4]);
    const other = session.newTensor('float32', [2, 2]);
    await session.run({ x: floats(session, [2, 2], 2, 0, 0, 2) }, { y: other });
    expect([...other.data]).toEqual([2, 4, 6, 8]);
    expect([...y.data]).toEqual([3, 4]);
  });

  it('reads and writes through views', async () => {
    const session = await open(productGraph(), backend);
    const rows = floats(session, [4, 2], 9, 9, 1, 0, 0, 1, 9, 9);
    const results = session.newTensor('float32', [4, 2]);
    const x = session.viewOf(rows, [2, 2], 2);
    const y = session.viewOf(session.viewOf(results, [3, 2], 2), [2, 2], 2);
    await session.run({ x }, { y });
    expect([...results.data]).toEqual([0, 0, 0, 0, 1, 2, 3, 4]);
    expect(() => session.viewOf(rows, [2, 2], 5)).toThrow(RangeError);
    expect(() => session.viewOf(x, [2, 2], 1)).toThrow(RangeError);
    expect(() => session.viewOf(x, [1], -1)).toThrow(RangeError);
  });

  it.each([
    ['float32', Float32Array.of(1.5, -0, NaN)],
    ['float64', Float64Array.of(1.5, -0, 1e300)],
    ['float16', Uint16Array.of(0x3c00, 0xc000, 0x7bff)],
    ['int8', Int8Array.of(-128, 0, 127)],
    ['uint8', Uint8Array.of(0, 1, 255)],
    ['int16', Int16Array.of(-32768, 0, 32767)],
    ['uint16', Uint16Array.of(0, 1, 65535)],
    ['int32', Int32Array.of(-(2 ** 31), 0, 2 ** 31 - 1)],
    ['uint32', Uint32Array.of(0, 1, 2 ** 32 - 1)],
    ['int64', BigInt64Array.of(-(2n ** 63n), 0n, 2n ** 63n - 1n)],
    ['uint64', BigUint64Array.of(0n, 1n, 2n ** 64n - 1n)],
    ['bool', Uint8Array.of(0, 1, 1)],
  ] satisfies [OrtElement, OrtArray][])('passes %s on as it is', async (type, values) => {
    const session = await open(copyGraph(type), backend);
    expect(session.inputs).toEqual([{ name: 'from', type, shape: ['n'] }]);
    const from = session.newTensor<OrtElement>(type, [3], values);
    const to = session.newTensor<OrtElement>(type, [3]);
    await session.run({ from }, { to });
    expect(to.data).toEqual(values);
    expect(to.data).toBeInstanceOf(ELEMENTS[type].array);
  });

  it('has tensors without elements', async () => {
    const session = await open(productGraph(), backend);
    const [x, y] = [session.newTensor('float32', [0, 2]), session.newTensor('float32', [0, 2])];
    await session.run({ x }, { y });
    expect(y.data).toHaveLength(0);
  });

  it('copies between tensors in turn with runs', async () => {
    const session = await open(productGraph(), backend);
    const x = floats(session, [1, 2], 1, 0);
    const y = session.newTensor('float32', [1, 2]);
    const saved = session.newTensor('float32', [2]);
    await Promise.all([session.run({ x }, { y }), session.copy(y, saved), session.copy(y, x), session.run({ x }, { y })]);
    expect([...saved.data, ...y.data]).toEqual([1, 2, 7, 10]);
    await expect(session.copy(x, session.newTensor('float32', [3]))).rejects.toThrow(/2 elements to 3/);
    await expect(session.copy(x, session.newTensor('int32', [2]))).rejects.toThrow(/float32 to int32/);
  });

  it('copies what a tensor is made from', async () => {
    const session = await open(productGraph(), backend);
    const values = Float32Array.of(9, 1, 0, 9).subarray(1, 3);
    const x = session.newTensor('float32', [1, 2], values);
    values.fill(5);
    expect([...x.data]).toEqual([1, 0]);
    expect(() => session.newTensor('float32', [3], Float32Array.of(1))).toThrow(/1 elements were given for the shape \[3\]/);
    expect(() => session.newTensor('int64', [1], Float32Array.of(1) as never)).toThrow(/int64 is held by BigInt64Array, not Float32Array/);
    expect(() => session.newTensor('float32', [-1])).toThrow(RangeError);
    expect(() => session.newTensor('float32', [1.5])).toThrow(RangeError);
  });

  it('names what does not fit the graph, and goes on', async () => {
    const session = await open(productGraph(), backend);
    const x = floats(session, [1, 2], 1, 0);
    const y = session.newTensor('float32', [1, 2]);
    const refused = async (feeds: OrtTensors, fetches: OrtTensors, message: string | RegExp) => {
      await expect(session.run(feeds, fetches)).rejects.toThrow(message);
    };
    await refused({}, { y }, 'input x is not fed');
    await refused({ x, z: x }, { y }, 'the graph has no input z; it has x');
    await refused({ x }, { z: y }, 'the graph has no output z; it has y');
    await refused({ x }, {}, 'at least one output');
    await refused({ x: session.newTensor('int64', [1, 2]) }, { y }, 'input x is float32, not int64');
    await refused({ x: session.newTensor('float32', [1, 3]) }, { y }, 'input x has the shape [n, 2], not [1, 3]');
    await refused({ x: session.newTensor('float32', [2]) }, { y }, 'input x has the shape [n, 2], not [2]');
    await refused({ x }, { y: session.newTensor('float32', [1, 3]) }, 'output y has the shape [n, 2], not [1, 3]');
    // Only the runtime knows that n is 1 here.
    await refused({ x }, { y: session.newTensor('float32', [3, 2]) }, /y.*\{?\[?[13],\s*2/s);
    await session.run({ x }, { y });
    expect([...y.data]).toEqual([1, 2]);
  });

  it('has errors with the message of the runtime', async () => {
    await expect(open('/nowhere/model.onnx', backend)).rejects.toThrow(
      expect.objectContaining({ name: 'OrtError', message: expect.stringContaining('/nowhere/model.onnx') as string }) as Error,
    );
    await expect(open(Buffer.from('no graph'), backend)).rejects.toMatchObject({ name: 'OrtError' });
    const unequal = smallGraph({
      inputs: { x: ['float32', ['n']], z: ['float32', ['m']] },
      outputs: { y: ['float32', ['k']] },
      nodes: [['Add', ['x', 'z'], 'y']],
    });
    const session = await open(unequal, backend);
    const feeds = { x: session.newTensor('float32', [2]), z: session.newTensor('float32', [3]) };
    await expect(session.run(feeds, { y: session.newTensor('float32', [3]) })).rejects.toMatchObject({
      name: 'OrtError',
      message: expect.stringContaining('make y') as string,
    });
  });

  it('throws when something released is used', async () => {
    const session = await open(productGraph(), backend);
    const x = floats(session, [1, 2], 1, 0);
    const y = session.newTensor('float32', [1, 2]);
    const view = session.viewOf(y, [2]);
    await session.run({ x }, { y });
    const { data } = y;
    y.release();
    y.release();
    expect([...data]).toEqual([1, 2]);
    expect(() => y.data).toThrow('this tensor, float32 [1, 2], was released');
    expect(() => view.data).toThrow('was released');
    expect(() => session.viewOf(y, [1])).toThrow('was released');
    await expect(session.run({ x }, { y })).rejects.toThrow('was released');
    await expect(session.copy(x, y)).rejects.toThrow('was released');
  });

  it('does not release what a run uses', async () => {
    const session = await open(longGraph(20), backend);
    const [x, w, y] = [0, 1, 2].map(() => session.newTensor('float32', [64, 64])) as [OrtTensor, OrtTensor, OrtTensor];
    const view = session.viewOf(x, [64, 64]);
    const running = session.run({ x: view, w }, { y });
    for (const tensor of [x, view, w, y]) expect(() => tensor.release()).toThrow('await the run');
    await running;
    for (const tensor of [x, w, y]) tensor.release();
  });

  it('closes once, after its runs, and with its tensors', async () => {
    const session = await open(longGraph(20), backend);
    const [x, w, y] = [0, 1, 2].map(() => session.newTensor('float32', [64, 64])) as [OrtTensor, OrtTensor, OrtTensor];
    const running = session.run({ x, w }, { y });
    const closing = session.close();
    await expect(session.run({ x, w }, { y })).rejects.toThrow('this session is closed');
    expect(() => session.newTensor('float32', [1])).toThrow('this session is closed');
    await Promise.all([running, closing, session.close()]);
    await session.close();
    expect(() => y.data).toThrow('was released');
  });

  it('takes no tensor of the other backend', async () => {
    const session = await open(productGraph(), backend);
    const other = await open(productGraph(), backend === 'ort-c' ? 'ort-js' : 'ort-c');
    const [x, y] = [session.newTensor('float32', [1, 2]), other.newTensor('float32', [1, 2])];
    await expect(session.run({ x }, { y: y })).rejects.toThrow('not one of this backend');
  });

  it('does not run when it was aborted before', async () => {
    const session = await open(productGraph(), backend);
    const [x, y] = [floats(session, [1, 2], 1, 1), session.newTensor('float32', [1, 2])];
    const reason = new Error('the job was cancelled');
    await expect(session.run({ x }, { y }, AbortSignal.abort(reason))).rejects.toMatchObject({ name: 'AbortError', cause: reason });
    expect([...y.data]).toEqual([0, 0]);
    await session.run({ x }, { y }, new AbortController().signal);
    expect([...y.data]).toEqual([4, 6]);
  });
});

describe('both backends', () => {
  const inHalves = async () => encodeOnnx(toFloat16(parseOnnx(await readFile(GROUPED))));
  it.each([
    ['plain attention', () => PLAIN, undefined],
    ['grouped attention', () => GROUPED, undefined],
    ['grouped attention over one buffer', () => GROUPED, 64],
    ['grouped attention in float16', inHalves, undefined],
    ['grouped attention in float16 over one buffer', inHalves, 64],
  ])('compute the same bits: %s', async (_, getModel, width) => {
    const model = await getModel();
    const [c, js] = [await open(model, 'ort-c'), await open(model, 'ort-js')];
    const expected = await greedy(js, PROMPT, 12, width);
    expect(await greedy(c, PROMPT, 12, width)).toEqual(expected);
    expect(new Set(expected.logits).size).toBe(12);
    const { inputs, outputs } = c;
    expect({ inputs, outputs }).toEqual({ inputs: js.inputs, outputs: js.outputs });
  });

  it('compute over a shared K/V buffer under a mask of constant width as over a growing one', async () => {
    for (const threads of [1, 2]) {
      const session = await open(GROUPED, 'ort-c', threads);
      expect(await greedy(session, PROMPT, 30, 128)).toEqual(await greedy(session, PROMPT, 30));
    }
  });
});

describe('ort-c', () => {
  it('is the default here, and says so', async () => {
    expect(await open(productGraph())).toMatchObject({ backend: 'ort-c', backendReason: 'the C API loads' });
    expect(await open(productGraph(), 'ort-js')).toMatchObject({ backend: 'ort-js', backendReason: 'it was asked for' });
  });

  it('gives way to ort-js where it does not load, and says why', async () => {
    const load = async () => ({ library: null, reason: 'no library for sunos sparc' });
    const session = await openOrtSession(productGraph(), { threads: 1 }, load);
    sessions.push(session);
    expect(session).toMatchObject({ backend: 'ort-js', backendReason: 'no library for sunos sparc' });
    await expect(openOrtSession(productGraph(), { threads: 1, backend: 'ort-c' }, load)).rejects.toThrow('no library for sunos sparc');
  });

  it('feeds overridable initializers, of another rank in each run, or not', async () => {
    const session = await open(adaptedGraph());
    const [x, y] = [floats(session, [1, 2], 1, 10), session.newTensor('float32', [1, 2])];
    const run = async (feeds: Record<string, OrtTensor>) => (await session.run({ x, ...feeds }, { y }), [...y.data]);
    expect(await run({})).toEqual([31, 42]);
    expect(await run({ a: floats(session, [2, 1], 1, 1), b: floats(session, [1, 2], 1, 2) })).toEqual([31 + 11, 42 + 22]);
    const identity = floats(session, [2, 2], 1, 0, 0, 1);
    expect(await run({ a: identity, b: identity })).toEqual([31 + 1, 42 + 10]);
    expect(await run({ a: session.newTensor('float32', [2, 0]), b: session.newTensor('float32', [0, 2]) })).toEqual([31, 42]);
    expect(await run({})).toEqual([31, 42]);
    await expect(run({ a: floats(session, [1, 1], 1) })).rejects.toThrow('input a has the shape [2, rank], not [1, 1]');
    await expect(run({ a: floats(session, [2, 1], 1, 1), b: identity })).rejects.toMatchObject({ name: 'OrtError' });
  });

  it('leaves the event loop free while it runs', async () => {
    const session = await open(longGraph(300));
    const [x, w, y] = [0, 1, 2].map(() => session.newTensor('float32', [256, 256])) as [OrtTensor, OrtTensor, OrtTensor];
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const start = performance.now();
    try {
      await session.run({ x, w }, { y });
    } finally {
      clearInterval(timer);
    }
    expect(performance.now() - start).toBeGreaterThan(50);
    expect(ticks).toBeGreaterThan(10);
  });

  it('stops a run within it, and runs on', async () => {
    const products = 4000;
    const session = await open(longGraph(products));
    const size = 256;
    const [x, w, y] = [0, 1, 2].map(() => session.newTensor('float32', [size, size])) as [OrtTensor, OrtTensor, OrtTensor<'float32'>];
    for (let index = 0; index < size; index++) (w.data as Float32Array)[index * (size + 1)] = 1;
    (x.data as Float32Array).fill(3);
    const whole = performance.now();
    await session.run({ x, w }, { y });
    const wholeMs = performance.now() - whole;
    expect(new Set(y.data)).toEqual(new Set([3]));

    y.data.fill(0);
    const abort = new AbortController();
    const aborted = performance.now();
    const running = session.run({ x, w }, { y }, abort.signal);
    const waiting = session.run({ x, w }, { y }, abort.signal);
    await delay(wholeMs / 10);
    const reason = new Error('cancelled');
    abort.abort(reason);
    await expect(running).rejects.toMatchObject({ name: 'AbortError', cause: reason });
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    expect(performance.now() - aborted).toBeLessThan(wholeMs * 0.8);
    expect(new Set(y.data)).toEqual(new Set([0]));

    await session.run({ x, w }, { y }, new AbortController().signal);
    expect(new Set(y.data)).toEqual(new Set([3]));
  });

  it('keeps memory from being transferred away under a run', async () => {
    const session = await open(productGraph());
    const x = floats(session, [1, 2], 1, 0);
    try {
      structuredClone(x.data.buffer, { transfer: [x.data.buffer as ArrayBuffer] });
    } catch (error) {
      expect(error).toMatchObject({ name: 'DataCloneError' });
    }
    expect([...x.data]).toEqual([1, 0]);
  });

  describe('with memory of its own, as on a device, here the CPU’s', () => {
    const openOnDevice = async (graph: string | Uint8Array) => {
      const session = await openOrtSession(graph, { threads: 1, provider: { kind: 'cpu', asDevice: true } });
      sessions.push(session);
      expect(session.hasOwnMemory).toBe(true);
      return session;
    };

    it('keeps tensors there, and copies there and back', async () => {
      const session = await openOnDevice(productGraph());
      const there = session.newDeviceTensor('float32', [4, 2]);
      expect(there.memory).toBe('device');
      expect(() => there.data).toThrow('in the memory of a device');
      await session.copy(floats(session, [8], 1, 0, 0, 1, 1, 1, 5, 5), there);
      const results = session.newDeviceTensor('float32', [4, 2]);
      await session.run({ x: there }, { y: results });
      await session.run({ x: session.viewOf(results, [1, 2], 2) }, { y: session.viewOf(results, [1, 2]) });
      await session.copy(session.viewOf(results, [1, 2], 4), session.viewOf(results, [2], 6));
      const back = session.newTensor('float32', [2, 2, 2]);
      await session.copy(results, back);
      // The second row [3, 4] times w, then the rows as they were, the third one twice.
      expect([...back.data]).toEqual([15, 22, 3, 4, 4, 6, 4, 6]);
    });

    it('copies what was asked for before the close', async () => {
      const session = await openOnDevice(productGraph());
      const [from, to] = [floats(session, [2], 7, 8), session.newDeviceTensor('float32', [2])];
      const copied = Promise.all([session.copy(from, to), session.copy(to, from)]);
      await session.close();
      await expect(copied).resolves.toHaveLength(2);
      expect(() => session.newDeviceTensor('float32', [2])).toThrow('is closed');
    });

    it('decodes with K/V there as in memory that JavaScript sees', async () => {
      const expected = await greedy(await open(GROUPED), PROMPT, 20, 64);
      expect(await greedy(await openOnDevice(GROUPED), PROMPT, 20, 64)).toEqual(expected);
    });
  });

  it('refuses CUDA where its libraries are not, and says which', async () => {
    const provider = { kind: 'cuda', deviceId: 0 } as const;
    await expect(openOrtSession(productGraph(), { threads: 1, provider })).rejects.toThrow(
      /libonnxruntime_providers_shared\.so and libonnxruntime_providers_cuda\.so/,
    );
    await expect(openOrtSession(productGraph(), { threads: 1, provider, backend: 'ort-js' })).rejects.toThrow(/CUDA needs the C API/);
  });
});
