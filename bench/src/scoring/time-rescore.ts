import { type Job } from '@kiln/contracts';
import { echoSuiteLines, echoSuiteName } from '../overhead/echo-suite.js';
import { startBenchStack } from '../overhead/start-bench-stack.js';
import { countTraces } from './count-traces.js';

/** How fast stored traces get a new text scorer. */
export interface TimedRescore {
  traces: number;
  /** From the POST until the finished result was read, ms, one for each run. */
  ms: number[];
  /** Traces that the rescores made: none. */
  generated: number;
}

/**
 * Evaluates the echo on `traces` examples in a stack of its own, and scores the stored traces again over REST, each time with a
 * scorer that they have not met.
 *
 * @throws Error when a result is not what it must come to
 */
export async function timeRescore(traces: number, runs: number, onProgress: (line: string) => void): Promise<TimedRescore> {
  const stack = await startBenchStack({ redis: false, keep: false, onProgress });
  try {
    await stack.client.registerSuite(echoSuiteLines(traces, 256));
    const source = await stack.client.waitForEnd(await stack.client.submitEcho(echoSuiteName(traces)));
    requirePassed(source, traces);
    onProgress(`${traces} traces are stored`);
    const ms: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const from = performance.now();
      const scorer = { kind: 'contains', phrases: ['example', `never ${run}`] };
      const job = await stack.client.waitForEnd(await stack.client.submitRescore(source.id, scorer));
      ms.push(performance.now() - from);
      requirePassed(job, traces);
      onProgress(`rescore ${run + 1}: ${Math.round((traces / ms.at(-1)!) * 1000).toLocaleString('en-US')} traces/s`);
    }
    return { traces, ms, generated: (await countTraces(stack.databaseUrl)) - traces };
  } finally {
    await stack.stop();
  }
}

function requirePassed(job: Job, examples: number): void {
  const passed = job.runs[0]?.metrics?.counts.pass;
  if (job.state !== 'completed' || passed !== examples)
    throw new Error(`job ${job.id} is ${job.state} with ${passed} of ${examples} passed`);
}
