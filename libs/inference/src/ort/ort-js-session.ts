import { type InferenceSession, type Tensor } from 'onnxruntime-node';
import ort from 'onnxruntime-node';
import { BaseSession, type Named } from './base-session.js';
import { DISABLED_OPTIMIZERS } from './graph-optimization.js';
import { ELEMENTS, type OrtElement } from './ort-element.js';
import { LOG_SEVERITY } from './ort-library.js';
import { OrtError, type OrtSessionOptions, type Provider, type TensorSpec } from './ort-session.js';
import { type TensorValue } from './session-tensor.js';
import { type TensorMemory } from './tensor-memory.js';

/** A tensor of the JavaScript API over memory that is ours. Nothing native hangs on it between runs. */
class JsValue implements TensorValue {
  readonly tensor: Tensor;

  constructor(tensor: Tensor) {
    this.tensor = tensor;
  }

  release(): void {
    this.tensor.dispose();
  }
}

/** A session over the JavaScript API. Each run blocks the event loop and copies its results into the fetches. */
export class OrtJsSession extends BaseSession<JsValue> {
  override readonly backend = 'ort-js';
  readonly #session: InferenceSession;

  /** Blocks this thread while the runtime loads the graph. @throws OrtError */
  static async open(graph: string | Uint8Array, options: OrtSessionOptions, backendReason: string): Promise<OrtJsSession> {
    const provider = options.provider?.kind ?? 'cpu';
    const session = await create(graph, {
      executionProviders: [provider],
      graphOptimizationLevel: 'all',
      intraOpNumThreads: options.threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      logSeverityLevel: LOG_SEVERITY,
      extra: {
        optimization: { disable_specified_optimizers: DISABLED_OPTIMIZERS.join(';') },
        ...(options.baseFolder !== undefined && { session: { model_external_initializers_file_folder_path: options.baseFolder } }),
      },
    });
    return new OrtJsSession(session, provider, backendReason);
  }

  private constructor(session: InferenceSession, provider: Provider['kind'], backendReason: string) {
    const [inputs, outputs] = [session.inputMetadata.map(toSpec), session.outputMetadata.map(toSpec)];
    super({ backendReason, provider, hasOwnMemory: false, inputs, outputs, initializers: [] });
    this.#session = session;
  }

  protected override isValue(value: TensorValue): value is JsValue {
    return value instanceof JsValue;
  }

  protected override newValue(type: OrtElement, shape: readonly number[], memory: TensorMemory, firstByte: number): JsValue {
    if (memory.kind !== 'cpu') throw new Error('the JavaScript API has tensors in CPU memory only');
    const elements = shape.reduce((product, size) => product * size, 1);
    return new JsValue(new ort.Tensor(type, new ELEMENTS[type].array(memory.buffer, firstByte, elements) as never, shape));
  }

  protected override async compute(feeds: readonly Named<JsValue>[], fetches: readonly Named<JsValue>[]): Promise<void> {
    const inputs = Object.fromEntries(feeds.map(([name, { value }]) => [name, value.tensor]));
    const outputs = await this.#session
      .run(
        inputs,
        fetches.map(([name]) => name),
      )
      .catch(asOrtError);
    for (const [name, tensor] of fetches) {
      const { dims, data } = outputs[name]!;
      if (dims.join() !== tensor.shape.join()) {
        throw new RangeError(`output ${name} has the shape [${dims.join(', ')}], not [${tensor.shape.join(', ')}]`);
      }
      (tensor.data as Uint8Array).set(data as Uint8Array);
    }
  }

  protected override async free(): Promise<void> {
    await this.#session.release();
  }
}

function toSpec(metadata: InferenceSession.ValueMetadata): TensorSpec {
  if (!metadata.isTensor) return { name: metadata.name, type: null, shape: [] };
  const isKnown = (type: string): type is OrtElement => Object.hasOwn(ELEMENTS, type);
  return { name: metadata.name, type: isKnown(metadata.type) ? metadata.type : null, shape: metadata.shape };
}

async function create(graph: string | Uint8Array, options: InferenceSession.SessionOptions): Promise<InferenceSession> {
  const session = typeof graph === 'string' ? ort.InferenceSession.create(graph, options) : ort.InferenceSession.create(graph, options);
  return session.catch(asOrtError);
}

function asOrtError(error: unknown): never {
  throw new OrtError((error as Error).message, { cause: error });
}
