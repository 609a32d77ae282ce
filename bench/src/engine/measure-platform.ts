import { type BenchModel } from './bench-models.js';
import { type CompletionRequest } from './completion-request.js';
import { KilnContender } from './kiln-contender.js';
import { PromptMaker } from './prompt-maker.js';
import { type BenchStack, startBenchStack } from '../overhead/start-bench-stack.js';
import { timed, type Times } from './stopwatch.js';
import { type WorkloadSizes } from './workload.js';
import path from 'node:path';

/** Far from the seeds of the other measurements. */
const FIRST_SEED = 1_000_000;

export interface MeasuredPlatform {
  examples: number;
  completions: number;
  answerTokens: number;
  /** From the POST of the job until its result was read, of all processes: API, scheduler, worker, its engine child, Postgres, client. */
  job: Times[];
  /** The same prompts through the engine's port. */
  engine: Times[];
}

export interface PlatformOptions {
  sizes: WorkloadSizes;
  rounds: number;
  onProgress: (line: string) => void;
}

/** Times whole jobs beside the bare engine on the same prompts, one thread of the runtime each, in alternating order. */
export async function measurePlatform(model: BenchModel, { sizes, rounds, onProgress }: PlatformOptions): Promise<MeasuredPlatform> {
  const { examples, completions, promptTokens, sharedTokens, jobAnswer } = sizes;
  const measured: MeasuredPlatform = { examples, completions, answerTokens: jobAnswer, job: [], engine: [] };
  const maker = await PromptMaker.of(model.path);
  const modelDir = path.dirname(model.path);
  const stack = await startBenchStack({ redis: false, keep: false, modelDir, settings: { KILN_WORKER_THREADS: '1' }, onProgress });
  try {
    const engine = await KilnContender.open(model);
    try {
      // The first round loads the model into the worker's engine; it is not counted.
      for (let round = -1; round < rounds; round++) {
        const requests = maker
          .prompts(examples, promptTokens, sharedTokens, FIRST_SEED + round)
          .flatMap((prompt) => Array.from({ length: completions }, () => ({ prompt, maxTokens: jobAnswer })));
        const suite = `engine-${round + 1}`;
        await stack.client.registerSuite(suiteLines(suite, requests, sizes));
        const runs = {
          job: () => runJob(stack, suite, model.name, sizes),
          engine: () => engine.generate(requests),
        };
        const results: Partial<Record<keyof typeof runs, Awaited<ReturnType<typeof runs.job>>>> = {};
        for (const side of round % 2 === 0 ? (['job', 'engine'] as const) : (['engine', 'job'] as const)) {
          const result = (results[side] = await runs[side]());
          if (round >= 0) measured[side].push(result.times);
        }
        requireEqual(results.job!.answers, results.engine!.answers);
        const [job, bare] = [results.job!.times, results.engine!.times];
        if (round >= 0) onProgress(`platform, round ${round + 1}: job ${seconds(job)}; bare engine ${seconds(bare)}`);
      }
      return measured;
    } finally {
      await engine.close();
    }
  } finally {
    await stack.stop();
  }
}

function seconds({ cpuS, wallS }: Times): string {
  return `${cpuS.toFixed(2)} CPU-s, ${wallS.toFixed(2)} s`;
}

async function* suiteLines(
  name: string,
  requests: CompletionRequest[],
  { completions, jobAnswer }: WorkloadSizes,
): AsyncGenerator<Uint8Array> {
  const header = {
    name,
    schema_version: 2,
    default_scorer: { kind: 'exact_match' },
    aggregation: { kind: 'mean_at_k', k: completions },
    generation: { temperature: 0, max_tokens: jobAnswer, n: completions },
  };
  const examples = requests
    .filter((_, index) => index % completions === 0)
    .map(({ prompt }) => ({ messages: [{ role: 'user', content: prompt.text }], target: 'w1' }));
  yield Buffer.from([header, ...examples].map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/**
 * From the POST until the finished result has been read; the answers are read afterwards.
 *
 * @throws Error when an answer is not as long as was asked for
 */
async function runJob(stack: BenchStack, suite: string, model: string, sizes: WorkloadSizes): Promise<{ answers: string[]; times: Times }> {
  const { client } = stack;
  const { result: job, times } = await timed(
    async () => client.waitForEnd(await client.submitRun({ suite, model, reuse: 'never' })),
    () => stack.allPids,
  );
  if (job.state !== 'completed') throw new Error(`job ${job.id} is ${job.state}`);
  const outcomes = await client.listOutcomes(job.id);
  const expected = sizes.examples * sizes.completions;
  const complete = outcomes.filter(({ completion_tokens: tokens }) => tokens === sizes.jobAnswer).length;
  if (complete !== expected) throw new Error(`job ${job.id} has ${complete} answers of ${sizes.jobAnswer} tokens, not ${expected}`);
  return { answers: outcomes.map(({ raw_completion_text: text }) => text), times };
}

/** The API shows bytes that are no valid text as U+FFFD. */
function requireEqual(shown: readonly string[], answers: readonly string[]): void {
  const different = shown.filter((text, index) => text !== Buffer.from(answers[index]!, 'latin1').toString()).length;
  if (different > 0) throw new Error(`${different} of ${shown.length} answers of the job are not those of the bare engine`);
}
