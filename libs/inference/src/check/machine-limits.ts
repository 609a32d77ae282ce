import { newNode } from '../onnx/graph/attributes.js';
import { toHalves } from '../onnx/graph/half-float.js';
import { openOrtSession } from '../ort/open-ort-session.js';
import { type OrtSession, type OrtSessionOptions, type OrtTensor } from '../ort/ort-session.js';
import { uploadTensor } from '../ort/upload-tensor.js';
import { type Clock, leastSeconds } from './clock.js';
import { encodeOperator } from './encode-operator.js';

/** What a machine was measured to do at most. Differs from run to run, and so is no part of any digest. */
export interface MachineLimits {
  /** Reading memory in order. */
  readonly bytesPerS: number;
  /** Floating-point operations a second when multiplying large matrices. */
  readonly flopsPerS: number;
}

export interface LimitOptions extends Pick<OrtSessionOptions, 'threads' | 'provider'> {
  readonly clock: Clock;
  /** Of the matrices. Default float32. */
  readonly type?: 'float32' | 'float16';
}

/** Of which the best counts. */
const TRIES = 5;
/** Far beyond any cache. */
const STREAM_ROWS = 64;
const STREAM_COLUMNS = 2 ** 20;
/** 2 GiB, twice. */
const DEVICE_COPY_ELEMENTS = 2 ** 29;
const CPU_MATRIX = 1024;
const DEVICE_MATRIX = 8192;

/** The limits of the threads, or of the device, that a session with these options has. @throws OrtError */
export async function measureMachine({ clock, type = 'float32', ...options }: LimitOptions): Promise<MachineLimits> {
  const isDevice = options.provider?.kind === 'cuda';
  const streamed = [await measureReading(options, clock)];
  // What was reached in any way can be reached. One thread alone can also be timed without the runtime.
  if (isDevice) streamed.push(await measureCopying(options, clock));
  else if (options.threads === 1) streamed.push(await measureComparing(clock));
  return {
    bytesPerS: Math.max(...streamed),
    flopsPerS: await measureMultiplying({ size: isDevice ? DEVICE_MATRIX : CPU_MATRIX, type }, options, clock),
  };
}

type SessionOptions = Omit<LimitOptions, 'clock' | 'type'>;

async function measureReading(options: SessionOptions, clock: Clock): Promise<number> {
  const shape = [STREAM_ROWS, STREAM_COLUMNS];
  const graph = encodeOperator(newNode('max', 'ReduceMax', ['x'], ['y'], { keepdims: 0, axes: [1] }), { x: shape }, [STREAM_ROWS]);
  return withSession(graph, options, async (session) => {
    // Filled, because pages that were never written are all the same one, which fits in a cache.
    const x = await uploadTensor(session, 'float32', shape, new Float32Array(STREAM_ROWS * STREAM_COLUMNS).fill(1));
    const y = session.newDeviceTensor('float32', [STREAM_ROWS]);
    const seconds = await leastSeconds(clock, TRIES, () => session.run({ x }, { y }));
    return (4 * STREAM_ROWS * STREAM_COLUMNS) / seconds;
  });
}

async function measureComparing(clock: Clock): Promise<number> {
  const bytes = 4 * STREAM_ROWS * STREAM_COLUMNS;
  const [left, right] = [Buffer.alloc(bytes, 7), Buffer.alloc(bytes, 7)];
  const seconds = await leastSeconds(clock, TRIES, async () => {
    if (left.compare(right) !== 0) throw new Error('two equal buffers differ');
  });
  return (2 * bytes) / seconds;
}

/** Read once and written once. Long enough that the start of a run is a small part of it. */
async function measureCopying(options: SessionOptions, clock: Clock): Promise<number> {
  const graph = encodeOperator(newNode('none', 'Identity', ['x'], ['y']), { x: [1] }, [1]);
  return withSession(graph, options, async (session) => {
    const tensors = [0, 1].map(() => session.newDeviceTensor('float32', [DEVICE_COPY_ELEMENTS])) as [OrtTensor, OrtTensor];
    const seconds = await leastSeconds(clock, TRIES, () => session.copy(...tensors));
    return (2 * 4 * DEVICE_COPY_ELEMENTS) / seconds;
  });
}

async function measureMultiplying(
  { size, type }: { size: number; type: 'float32' | 'float16' },
  options: SessionOptions,
  clock: Clock,
): Promise<number> {
  const shape = [size, size];
  const onDevice = options.provider?.kind === 'cuda';
  const wave = new Float32Array(size * size).map((_, index) => ((index * 31) % 17) - 8);
  const values = type === 'float16' ? toHalves(wave) : wave;
  const weights = onDevice ? null : new Uint8Array(values.buffer);
  const product = newNode('product', 'MatMul', ['x', 'w'], ['y']);
  const graph = encodeOperator(product, onDevice ? { x: shape, w: shape } : { x: shape }, shape, weights, type);
  return withSession(graph, options, async (session) => {
    const newMatrix = () => uploadTensor<'float32' | 'float16'>(session, type, shape, values);
    const y = session.newDeviceTensor(type, shape);
    const feeds = { x: await newMatrix(), ...(onDevice && { w: await newMatrix() }) };
    const seconds = await leastSeconds(clock, TRIES, () => session.run(feeds, { y }));
    return (2 * size ** 3) / seconds;
  });
}

async function withSession<T>(graph: Uint8Array, options: SessionOptions, task: (session: OrtSession) => Promise<T>): Promise<T> {
  const session = await openOrtSession(graph, options);
  try {
    return await task(session);
  } finally {
    await session.close();
  }
}
