import { type OrtSession, type OrtTensor } from '../../ort/ort-session.js';
import { type DecoderLayout } from '../decoder-layout.js';
import { fromHalf } from '../graph/half-float.js';
import { type LogitsPorts } from './logits-ports.js';
import { type RowLogits } from './row-logits.js';
import { ViewCache } from './view-cache.js';

type LogitsPort = DecoderLayout['logits'];

/** Logits in the memory of the CPU, where they are read in place. */
export class HostLogits implements LogitsPorts {
  readonly #port: LogitsPort;
  readonly #buffer: OrtTensor;
  readonly #views: ViewCache;

  constructor(session: OrtSession, port: LogitsPort, most: number) {
    this.#port = port;
    this.#views = new ViewCache(session);
    this.#buffer = session.newTensor(port.type, [most * port.vocabulary!]);
  }

  feeds(): Record<string, OrtTensor> {
    return {};
  }

  fetches(rows: number, positions: number): Record<string, OrtTensor> {
    const { name, vocabulary } = this.#port;
    return { [name]: this.#views.get(name, this.#buffer, [rows, positions, vocabulary!]) };
  }

  read(rows: number, positions: number): RowLogits[] {
    const vocabulary = this.#port.vocabulary!;
    return Array.from({ length: rows }, (_, row) => {
      const end = (row + 1) * positions * vocabulary;
      return new HostRow(toFloats((this.#buffer.data as LogitsArray).subarray(end - vocabulary, end)));
    });
  }

  release(): void {
    this.#views.release();
    this.#buffer.release();
  }
}

class HostRow implements RowLogits {
  readonly atHand: Float32Array;

  constructor(logits: Float32Array) {
    this.atHand = logits;
  }

  async all(): Promise<Float32Array> {
    return this.atHand;
  }

  async keep(): Promise<RowLogits> {
    return new HostRow(this.atHand.slice());
  }
}

export type LogitsArray = Float32Array | Uint16Array;

/** As float32; the same array where they are. */
export function toFloats(logits: LogitsArray): Float32Array {
  return logits instanceof Float32Array ? logits : Float32Array.from(logits, fromHalf);
}
