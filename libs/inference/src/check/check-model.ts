import { type FrozenModelTarget } from '@kiln/contracts';
import { relative } from 'node:path';
import { type FileMemo } from '../file-memo.js';
import { publicationTarget } from '../models/publication-target.js';
import { type ScannedModel } from '../models/scan-models.js';
import { type DecoderLayout } from '../onnx/decoder-layout.js';
import { DEFAULT_MAX_BATCH } from '../onnx/default-max-batch.js';
import { verifyModel, type VerifiedModel } from '../onnx/load-model.js';
import { ModelSession } from '../onnx/model-session.js';
import { findBackend } from '../ort/find-backend.js';
import { answerGreedily, sameAnswer } from './answer-greedily.js';
import { readGraphWeights } from './graph-weights.js';
import { measureSpeed, SPEED_MARGIN } from './measure-speed.js';
import { type AnswerCheck, type LayoutFacts, type MachineFacts, type ModelCheck } from './model-check.js';
import { probeModel } from '../onnx/probe/probe-model.js';
import { probeVerdict } from '../onnx/probe/probe-verdict.js';

const PROMPT = 'What is 12 + 30?';
const CONTEXT = 256;
const ROWS = [1, 8, DEFAULT_MAX_BATCH];

export interface CheckModelOptions {
  readonly modelDir: string;
  readonly memo: FileMemo;
  readonly adapter: string | null;
  readonly machine: MachineFacts;
}

/** Loads and runs one model. What goes wrong is a flaw in the result. */
export async function checkModel(publication: ScannedModel, options: CheckModelOptions): Promise<ModelCheck> {
  const target = publicationTarget(publication, options.adapter);
  const check: ModelCheck = {
    model: target.model,
    adapter: target.adapter,
    modelDigest: target.model_digest,
    tokenizerDigest: target.tokenizer_digest,
    templateDigest: target.template_digest,
    adapterDigest: target.adapter_digest,
    adapters: publication.adapters.map(({ adapter }) => adapter),
    contextTokens: publication.context_tokens,
    layout: null,
    probe: null,
    rules: null,
    answer: null,
    speed: [],
    flaws: [],
  };
  const flawed = (known: ModelCheck, error: unknown): ModelCheck => ({ ...known, flaws: [...known.flaws, (error as Error).message] });
  let run: ModelCheck;
  try {
    run = { ...check, ...(await runModel(target, publication, options)) };
  } catch (error) {
    return flawed(check, error);
  }
  // An engine would refuse to load it, and its answer would say nothing.
  if (run.flaws.length > 0) return run;
  try {
    const answer = await checkAnswer(target, options);
    const differ = answer.backendsEqual === false ? ['the C API and the JavaScript API give different answers'] : [];
    return { ...run, answer, flaws: differ };
  } catch (error) {
    return flawed(run, error);
  }
}

async function runModel(target: FrozenModelTarget, { context_tokens: most }: ScannedModel, options: CheckModelOptions) {
  const verified = await verifyModel(target, options);
  const { directory, summary, hasAdapters } = verified;
  const { threads, clock } = options.machine;
  const model = await ModelSession.open(directory.graphPath, summary, { threads, maxBatch: DEFAULT_MAX_BATCH, takesAdapters: hasAdapters });
  try {
    const measured = await probeModel(model, summary.loraSites.sites);
    const verdict = probeVerdict(measured);
    model.follow(verdict);
    const { rules } = model;
    const speed = await measureSpeed(model, {
      weights: await readGraphWeights(directory.graphPath),
      limits: options.machine,
      rows: ROWS.filter((rows) => rows <= rules.maxRows),
      context: Math.min(CONTEXT, (most ?? Infinity) - SPEED_MARGIN),
      clock,
    });
    const flaws = [...(measured.finite ? [] : ['its logits are not numbers']), ...verdict.flaws];
    return { layout: layoutFacts(verified, model.layout), probe: { ...verdict, measured }, rules, speed, flaws };
  } finally {
    await model.close();
  }
}

async function checkAnswer(target: FrozenModelTarget, { modelDir, machine: { threads } }: CheckModelOptions): Promise<AnswerCheck> {
  const { backend } = await findBackend({});
  const ask = async (through: 'ort-c' | 'ort-js') => (await answerGreedily(target, [PROMPT], { modelDir, threads, backend: through }))[0]!;
  const plain = await ask('ort-js');
  const native = backend === 'ort-c' ? await ask('ort-c') : null;
  const answer = native ?? plain;
  return {
    prompt: PROMPT,
    text: Buffer.from(answer.rawBytes).toString('utf8'),
    tokens: answer.completionTokens,
    backend,
    backendsEqual: native === null ? null : sameAnswer(native, plain),
  };
}

function layoutFacts({ directory, weightBytes }: VerifiedModel, layout: DecoderLayout): LayoutFacts {
  const { attention, quantisation, cache, cacheType, states, sharesBuffer, rowsInteract } = layout;
  const columns = cache.reduce((total, { heads, headSize }) => total + heads * headSize, 0);
  const blocks =
    quantisation === null ? null : `${quantisation.bits.join(', ')} bits in blocks, accuracy ${quantisation.accuracyLevels.join(', ')}`;
  return {
    graph: relative(directory.path, directory.graphPath),
    weightBytes: weightBytes,
    attention: attention === 'gqa' ? 'GroupQueryAttention' : 'in parts',
    quantisation: rowsInteract ? 'rounded activations' : blocks,
    cacheType: cacheType,
    cacheBytesPerToken: columns * (cacheType === 'float16' ? 2 : 4),
    cacheInPlace: sharesBuffer,
    stateLayers: new Set(states.map(({ layer }) => layer)).size,
  };
}
