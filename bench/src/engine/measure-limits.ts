import { encodeOnnx, GraphBuilder, type MachineLimits, randomWeights } from '@kiln/inference/testing';
import ort from 'onnxruntime-node';

/** Far beyond any cache. */
const STREAM_BYTES = 256 * 2 ** 20;
const GEMM_SIZE = 1024;

/**
 * The most that one thread of this machine reached in `repeats` tries: reading two buffers in order (`memcmp`), and multiplying square
 * matrices with the runtime that the engine uses. In CPU time, like everything that is compared with it.
 */
export async function measureLimits(repeats: number): Promise<MachineLimits> {
  return { bytesPerS: measureBandwidth(repeats), flopsPerS: await measureFlops(repeats) };
}

function measureBandwidth(repeats: number): number {
  // Filled: pages that were never written are all the same one, which fits in a cache.
  const [left, right] = [Buffer.alloc(STREAM_BYTES, 7), Buffer.alloc(STREAM_BYTES, 7)];
  let fastest = Infinity;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const before = process.cpuUsage();
    if (Buffer.compare(left, right) !== 0) throw new Error('two equal buffers differ');
    fastest = Math.min(fastest, cpuSecondsSince(before));
  }
  return (2 * STREAM_BYTES) / fastest;
}

async function measureFlops(repeats: number): Promise<number> {
  const graph = new GraphBuilder('float32');
  const dims = [GEMM_SIZE, GEMM_SIZE];
  const values = randomWeights(1, 'gemm', GEMM_SIZE * GEMM_SIZE, 1);
  graph.op('MatMul', [graph.input('x', 'float32', dims), graph.floats('w', dims, values)], {}, { output: 'y' });
  graph.output('y', 'float32', dims);
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1 };
  const session = await ort.InferenceSession.create(encodeOnnx(graph.model), options);
  const feeds = { x: new ort.Tensor('float32', values, dims) };
  let fastest = Infinity;
  for (let repeat = 0; repeat <= repeats; repeat++) {
    const before = process.cpuUsage();
    await session.run(feeds);
    fastest = Math.min(fastest, cpuSecondsSince(before));
  }
  await session.release();
  return (2 * GEMM_SIZE ** 3) / fastest;
}

function cpuSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
