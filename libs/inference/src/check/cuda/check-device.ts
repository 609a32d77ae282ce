import { type FrozenModelTarget } from '@kiln/contracts';
import { summariseGraph } from '../../onnx/graph-summary.js';
import { type PeftAdapter } from '../../onnx/lora/peft-adapter.js';
import { readModelDirectory } from '../../onnx/model-directory.js';
import { ModelSession, type ModelSessionOptions } from '../../onnx/model-session.js';
import { openOrtSession } from '../../ort/open-ort-session.js';
import { type OrtSessionOptions } from '../../ort/ort-session.js';
import { readGraphWeights } from '../graph-weights.js';
import { measureMachine } from '../machine-limits.js';
import { measureSpeed } from '../measure-speed.js';
import { type SpeedCheck } from '../model-check.js';
import { checkAdapterMemory } from './check-adapter-memory.js';
import { checkAnswers } from './check-answers.js';
import { checkHead } from './check-head.js';
import { checkMass } from './check-mass.js';
import { checkPrecision, precisionGraph } from './check-precision.js';
import { checkResidence } from './check-residence.js';
import { checkRows } from './check-rows.js';
import { checkTransfers } from './check-transfers.js';
import { type DeviceCheck, type Finding } from './device-check.js';

export interface DeviceCheckOptions {
  readonly provider: NonNullable<OrtSessionOptions['provider']>;
  /** A model large enough for times to mean something. */
  readonly modelPath: string;
  /** An adapter for it. */
  readonly adapter: PeftAdapter;
  /** Small models whose answers are compared with the CPU's, by what they are called. */
  readonly answering: ReadonlyMap<string, FrozenModelTarget>;
  /** Where those are. */
  readonly modelDir: string;
  /** Most samples that are decoded together. */
  readonly maxBatch: number;
  /** Tokens of each row when steps are timed. */
  readonly context: number;
  /** Columns of a narrow and of a wide slot. */
  readonly widths: readonly [narrow: number, wide: number];
  readonly onProgress: (line: string) => void;
}

const THREADS = 1;

/** Everything that must hold on a device, and how fast it is. @throws OrtError when it does not even load a graph */
export async function checkDevice(options: DeviceCheckOptions): Promise<DeviceCheck> {
  const { provider, onProgress, answering, modelDir } = options;
  const findings: Finding[] = [];
  onProgress('multiplying');
  const session = await openOrtSession(precisionGraph(), { threads: THREADS, provider });
  findings.push(await checkPrecision(session));
  await session.close();
  findings.push(await checkMass({ threads: THREADS, provider }));
  for (const [what, target] of answering) {
    onProgress(`asking ${what}`);
    findings.push(await checkAnswers(what, target, { modelDir, threads: THREADS }, { provider }));
  }
  onProgress('measuring the device');
  const { directory, summary } = await readModel(options.modelPath);
  const type = summary.layout.cacheType;
  const limits = await measureMachine({ threads: THREADS, clock: 'wall', provider, type });
  const sessionOptions = { threads: THREADS, maxBatch: options.maxBatch, provider };
  onProgress('probing with adapters');
  await withModel(directory.graphPath, summary, { ...sessionOptions, takesAdapters: true }, async (model) => {
    findings.push(...(await checkResidence(model)));
    findings.push(await checkAdapterMemory(model, async () => options.adapter));
    findings.push(...(await checkRows(model, summary.loraSites.sites)));
  });
  onProgress('timing steps');
  const speed: SpeedCheck[] = [];
  const weights = await readGraphWeights(directory.graphPath);
  await withModel(directory.graphPath, summary, { ...sessionOptions, takesAdapters: false }, async (model) => {
    const { maxBatch, context, widths } = options;
    findings.push(await checkHead(model, Math.min(maxBatch, model.rules.maxRows)));
    findings.push(await checkTransfers(model, { rows: maxBatch, context, widths, clock: 'wall' }));
    const rows = [...new Set([1, Math.ceil(maxBatch / 4), maxBatch])];
    speed.push(...(await measureSpeed(model, { weights, limits, rows, context, clock: 'wall' })));
  });
  return { findings, limits, type, speed };
}

async function readModel(path: string) {
  const directory = await readModelDirectory(path);
  return { directory, summary: await summariseGraph(directory.graphPath, directory.portNames) };
}

async function withModel(
  graphPath: string,
  summary: Parameters<typeof ModelSession.open>[1],
  options: ModelSessionOptions,
  task: (model: ModelSession) => Promise<void>,
): Promise<void> {
  const model = await ModelSession.open(graphPath, summary, options);
  try {
    await task(model);
  } finally {
    await model.close();
  }
}
