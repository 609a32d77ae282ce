import { type FrozenModelTarget, Generation } from '@kiln/contracts';
import { createEngine, type Engine, publicationTarget, type SampleRequest, scanModels } from '@kiln/inference';
import { type BenchModel } from './bench-models.js';
import { type CompletionRequest } from './completion-request.js';
import { type Contender } from './contender.js';
import { timed, type Times } from './stopwatch.js';
import path from 'node:path';

const DEADLINE_MS = 3_600_000;

/** Kiln's engine, called as a worker calls it: everything at once, through its port, into its child process. */
export class KilnContender implements Contender {
  readonly name = 'Kiln';
  readonly #engine: Engine;
  readonly #target: FrozenModelTarget;

  private constructor(engine: Engine, target: FrozenModelTarget) {
    this.#engine = engine;
    this.#target = target;
  }

  static async open(model: BenchModel): Promise<KilnContender> {
    const modelDir = path.dirname(model.path);
    const target = await freeze(modelDir, model.name);
    const engine = createEngine({ kinds: ['onnx'], modelDir, threads: 1, onStderr: (_, text) => process.stderr.write(text) });
    await engine.load(target);
    return new KilnContender(engine, target);
  }

  async generate(requests: readonly CompletionRequest[]): Promise<{ answers: string[]; times: Times }> {
    const samples = requests.map((request, index) => this.#sample(request, String(index)));
    const answers: string[] = [];
    const { times } = await timed(
      async () => {
        for await (const result of this.#engine.generate(samples, new AbortController().signal)) {
          if (!result.ok) throw new Error(`sample ${result.id}: ${result.error.code}: ${result.error.message}`);
          const { prompt, maxTokens } = requests[Number(result.id)]!;
          const { promptTokens, completionTokens, rawBytes } = result.trace;
          if (promptTokens !== prompt.tokens.length || completionTokens !== maxTokens) {
            throw new Error(
              `Kiln read ${promptTokens} tokens and wrote ${completionTokens}; it should have been ${prompt.tokens.length} and ${maxTokens}`,
            );
          }
          answers[Number(result.id)] = Buffer.from(rawBytes).toString('latin1');
        }
      },
      () => Object.values(this.#engine.pids()),
    );
    return { answers, times };
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  #sample({ prompt, maxTokens }: CompletionRequest, id: string): SampleRequest {
    return {
      id,
      target: this.#target,
      messages: [{ role: 'user', content: prompt.text }],
      tools: null,
      generation: Generation.parse({ temperature: 0, max_tokens: maxTokens }),
      seed: id,
      deadlineMs: DEADLINE_MS,
    };
  }
}

/** What admission would freeze. */
async function freeze(modelDir: string, name: string): Promise<FrozenModelTarget> {
  const { models, rejected } = await scanModels(modelDir);
  const found = models.find(({ model }) => model === name);
  if (found === undefined) throw new Error(`${name} is no model: ${JSON.stringify(rejected)}`);
  return publicationTarget(found, null);
}
