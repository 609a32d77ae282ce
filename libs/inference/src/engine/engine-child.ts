import { KilnError } from '@kiln/contracts';
import { EchoGenerator } from '../echo/echo-generator.js';
import { type Generator } from '../generator.js';
import { OpenAiGenerator } from '../openai/openai-generator.js';
import { type ChildOptions, parseChildOptions } from './child-options.js';
import { type EngineReply } from './protocol.js';
import { GeneratorServer } from './serve-generator.js';

/*
 * The program of an engine child: one generator behind the protocol, from fork until its channel closes. It is forked by
 * EngineChildProcess and reads its options from its first argument.
 */

/** Samples that a child holds at a time: two batches' worth of its kind, or more. */
const CREDITS = { echo: 512, onnx: 256, openai: 1024 } as const;

function creditsOf({ kind, maxBatch }: ChildOptions): number {
  return kind === 'onnx' ? Math.max(CREDITS.onnx, 2 * maxBatch) : CREDITS[kind];
}

function readEnvironment(name: string): string | undefined {
  // oxlint-disable-next-line node/no-process-env -- endpoint keys are known by name only, and must pass through no other process
  return process.env[name];
}

async function createGenerator(options: ChildOptions, onProgress: () => void): Promise<Generator> {
  switch (options.kind) {
    case 'echo':
      return new EchoGenerator();
    case 'openai':
      return new OpenAiGenerator({ readEnvironment, allowedKeys: options.allowedKeys, onProgress });
    case 'onnx': {
      // Imported here only: the runtime's native library is 20 MB, and the other kinds do without.
      const { OnnxGenerator } = await import('../onnx/onnx-generator.js');
      const { checkProvider } = await import('../ort/check-provider.js');
      const { providerFacts } = await import('../ort/provider-facts.js');
      const { modelDir, provider, threads, maxBatch, kvCacheBytes, weightCacheBytes } = options;
      // Before the first job is taken: what the machine lacks must not look like a fault of a model.
      if (provider.kind !== 'cpu') await checkProvider(provider);
      const facts = await providerFacts(provider);
      const budget = { kvCacheBytes, weightBytes: weightCacheBytes };
      return new OnnxGenerator({ modelDir, provider, threads, maxBatch, budget, facts, onProgress });
    }
  }
}

/** The last line of standard error is what the supervisor tells. */
function giveUp(error: Error): never {
  const hint = error instanceof KilnError && error.hint !== null ? ` (${error.hint})` : '';
  process.stderr.write(`${error.message.trim().replace(/\s+/g, ' ')}${hint}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  // Ctrl-C reaches the whole process group; the supervisor decides when this process ends, and its end is noticed.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  process.on('disconnect', () => process.exit(0));
  // The supervisor may have died while this process was loading its modules: that event is over.
  if (!process.connected) process.exit(0);
  // A supervisor that died takes this pipe with it.
  process.stderr.on('error', () => {});

  const options = parseChildOptions(process.argv[2]);
  let noteProgress = (): void => {};
  const generator = await createGenerator(options, () => noteProgress()).catch(giveUp);
  const server = new GeneratorServer(generator, {
    credits: creditsOf(options),
    send: (reply: EngineReply) => void (process.connected && process.send!(reply)),
    onClosed: () => process.disconnect(),
  });
  noteProgress = server.noteProgress;
  process.on('message', (message) => server.receive(message));
}

await main();
