import { type Job } from '@kiln/contracts';
import { cpus, loadavg } from 'node:os';
import { echoSuiteLines, echoSuiteName } from './echo-suite.js';
import { InsertBaseline } from './insert-baseline.js';
import { type OverheadOptions } from './options.js';
import { type PeakMemory, peakMemory } from './peak-memory.js';
import { type MemoryComparison, type OverheadReport, type TimedSize } from './report.js';
import { type BenchStack, type ServiceName, SERVICES, startBenchStack } from './start-bench-stack.js';

export type Progress = (line: string) => void;

/** Measures what Kiln adds to storing its results: see the README of this folder. */
export async function runOverhead(options: OverheadOptions, onProgress: Progress): Promise<OverheadReport> {
  const memory = options.memory ? await compareMemory(options, onProgress) : null;
  return withStack(options, onProgress, async (stack) => {
    const baseline = await InsertBaseline.open(stack.databaseUrl);
    try {
      const environment = await describe(baseline, options);
      const timings: TimedSize[] = [];
      for (const samples of options.sizes) timings.push(await timeSize(stack, baseline, samples, options, onProgress));
      const admission = await timeAdmission(stack, options, onProgress);
      return { environment, timings, admission, memory };
    } finally {
      await baseline.close();
    }
  });
}

async function withStack<T>(options: OverheadOptions, onProgress: Progress, work: (stack: BenchStack) => Promise<T>): Promise<T> {
  const stack = await startBenchStack({ ...options, onProgress });
  try {
    return await work(stack);
  } finally {
    await stack.stop();
  }
}

/** Each timing beside the plain inserts of the same rows, in alternating order, after one warm-up that is not counted. */
async function timeSize(
  stack: BenchStack,
  baseline: InsertBaseline,
  samples: number,
  options: OverheadOptions,
  onProgress: Progress,
): Promise<TimedSize> {
  await register(stack, samples, options, onProgress);
  const timed: TimedSize = { samples, kilnMs: [], insertMs: [] };
  const warmUp = await runJob(stack, samples);
  let jobId = warmUp.job.id;
  await baseline.insertAgain(jobId);
  const plain = async (): Promise<void> => void timed.insertMs.push(await baseline.insertAgain(jobId));
  const kiln = async (): Promise<void> => {
    await baseline.checkpoint();
    const { job, ms } = await runJob(stack, samples);
    jobId = job.id;
    timed.kilnMs.push(ms);
  };
  for (let run = 0; run < options.runs; run += 1) {
    for (const step of run % 2 === 0 ? [kiln, plain] : [plain, kiln]) await step();
    const rates = [timed.kilnMs, timed.insertMs].map((times) => Math.round((samples / times.at(-1)!) * 1000));
    onProgress(`${samples} samples, run ${run + 1}: ${rates[0]} samples/s; plain inserts ${rates[1]} samples/s`);
  }
  return timed;
}

/** Time of the POST that admits a job; the job is cancelled afterwards. */
async function timeAdmission(stack: BenchStack, options: OverheadOptions, onProgress: Progress): Promise<OverheadReport['admission']> {
  await register(stack, options.large, options, onProgress);
  const times: number[] = [];
  for (let run = 0; run < options.runs; run += 1) {
    const from = performance.now();
    const jobId = await stack.client.submitEcho(echoSuiteName(options.large));
    times.push(performance.now() - from);
    await stack.client.cancel(jobId);
    await stack.client.waitForEnd(jobId);
  }
  return { samples: options.large, ms: times };
}

/** Peaks after one small and after one large job, each in processes that did nothing before. */
async function compareMemory(options: OverheadOptions, onProgress: Progress): Promise<MemoryComparison> {
  const { small, large } = options;
  return {
    small: { samples: small, peaks: await memoryOf(small, options, onProgress) },
    large: { samples: large, peaks: await memoryOf(large, options, onProgress) },
  };
}

function memoryOf(samples: number, options: OverheadOptions, onProgress: Progress): Promise<Record<ServiceName, PeakMemory | null>> {
  return withStack(options, onProgress, async (stack) => {
    await register(stack, samples, options, onProgress);
    const { ms } = await runJob(stack, samples);
    const peaks = await Promise.all(SERVICES.map(async (name) => [name, await peakMemory(stack.pids[name])] as const));
    onProgress(`memory: ${samples} samples in ${(ms / 1000).toFixed(2)} s`);
    return Object.fromEntries(peaks) as Record<ServiceName, PeakMemory | null>;
  });
}

async function register(stack: BenchStack, samples: number, { promptBytes }: OverheadOptions, onProgress: Progress): Promise<void> {
  const from = performance.now();
  await stack.client.registerSuite(echoSuiteLines(samples, promptBytes));
  onProgress(`registered ${samples} examples in ${((performance.now() - from) / 1000).toFixed(2)} s`);
}

/**
 * From the POST until the finished result has been read.
 *
 * @throws Error when the result is not what the echo must come to: a wrong answer is no measurement
 */
async function runJob({ client }: BenchStack, samples: number): Promise<{ job: Job; ms: number }> {
  const from = performance.now();
  const job = await client.waitForEnd(await client.submitEcho(echoSuiteName(samples)));
  const ms = performance.now() - from;
  const passed = job.runs[0]?.metrics?.counts.pass;
  if (job.state !== 'completed' || passed !== samples) {
    throw new Error(`job ${job.id} is ${job.state} with ${passed ?? 'no'} of ${samples} examples passed`);
  }
  return { job, ms };
}

async function describe(baseline: InsertBaseline, options: OverheadOptions): Promise<OverheadReport['environment']> {
  const { version, fsync, synchronousCommit } = await baseline.server();
  return {
    Node: process.versions.node,
    cores: cpus().length,
    Postgres: version,
    fsync,
    synchronous_commit: synchronousCommit,
    'commit ms': (await baseline.commitMs()).toFixed(2),
    queue: options.redis ? 'Redis' : 'Postgres',
    'prompt bytes': options.promptBytes,
    runs: options.runs,
    // Anything above a few tenths here is other work on the machine, and takes its share of every number below.
    'load before': loadavg()[0]!.toFixed(1),
  };
}
