import { type OrtSession, type OrtTensor } from '../../ort/ort-session.js';
import { type Candidates } from '../../sampling/sample-candidates.js';
import { type DecoderLayout } from '../decoder-layout.js';
import { candidateCount, SAMPLING_HEAD } from '../graph/sampling-head.js';
import { copyElements } from './copy-elements.js';
import { type LogitsArray, toFloats } from './host-logits.js';
import { type LogitsPorts } from './logits-ports.js';
import { type RowLogits } from './row-logits.js';
import { ViewCache } from './view-cache.js';

type LogitsPort = DecoderLayout['logits'];
/** A row's place in the memory of the device. */
type Place = readonly [tensor: OrtTensor, first: number];

/** Logits in the memory of a device, and what the graph's sampling head found of them in that of the CPU. */
export class DeviceLogits implements LogitsPorts {
  readonly #session: OrtSession;
  readonly #port: LogitsPort;
  readonly #count: number;
  readonly #views: ViewCache;
  readonly #tensors: OrtTensor[] = [];
  readonly #logits: OrtTensor;
  /** One row, there and here. */
  readonly #kept: OrtTensor;
  readonly #brought: OrtTensor;
  readonly #temperatures: OrtTensor<'float64'>;
  readonly #head: { readonly logits: OrtTensor<'float32'>; readonly tokens: OrtTensor<'int64'>; readonly mass: OrtTensor<'float64'> };

  constructor(session: OrtSession, port: LogitsPort, rows: number, most: number) {
    this.#session = session;
    this.#port = port;
    this.#views = new ViewCache(session);
    this.#count = candidateCount(session);
    const own = <T extends OrtTensor>(tensor: T): T => (this.#tensors.push(tensor), tensor);
    const vocabulary = port.vocabulary!;
    try {
      this.#logits = own(session.newDeviceTensor(port.type, [most * vocabulary]));
      this.#kept = own(session.newDeviceTensor(port.type, [vocabulary]));
      this.#brought = own(session.newTensor(port.type, [vocabulary]));
      this.#temperatures = own(session.newTensor('float64', [rows]));
      this.#head = {
        logits: own(session.newTensor('float32', [rows * this.#count])),
        tokens: own(session.newTensor('int64', [rows * this.#count])),
        mass: own(session.newTensor('float64', [rows])),
      };
    } catch (error) {
      this.release();
      throw error;
    }
  }

  feeds(temperatures: readonly number[]): Record<string, OrtTensor> {
    // A greedy row needs no mass, but a division needs a divisor.
    temperatures.forEach((temperature, row) => (this.#temperatures.data[row] = divisor(temperature)));
    const { temperature } = SAMPLING_HEAD;
    return { [temperature]: this.#views.get(temperature, this.#temperatures, [temperatures.length, 1, 1]) };
  }

  fetches(rows: number, positions: number): Record<string, OrtTensor> {
    const { name, vocabulary } = this.#port;
    const { logits, tokens, mass } = this.#head;
    return {
      [name]: this.#views.get(name, this.#logits, [rows, positions, vocabulary!]),
      [SAMPLING_HEAD.logits]: this.#views.get(SAMPLING_HEAD.logits, logits, [rows, 1, this.#count]),
      [SAMPLING_HEAD.tokens]: this.#views.get(SAMPLING_HEAD.tokens, tokens, [rows, 1, this.#count]),
      [SAMPLING_HEAD.mass]: this.#views.get(SAMPLING_HEAD.mass, mass, [rows, 1, 1]),
    };
  }

  read(rows: number, positions: number, temperatures: readonly number[]): RowLogits[] {
    const vocabulary = this.#port.vocabulary!;
    const { logits, tokens, mass } = this.#head;
    return Array.from({ length: rows }, (_, row) => {
      const [start, end] = [row * this.#count, (row + 1) * this.#count];
      const candidates = {
        vocabulary,
        logits: logits.data.subarray(start, end),
        tokens: tokens.data.subarray(start, end),
        temperature: divisor(temperatures[row]!),
        mass: mass.data[row]!,
      };
      return this.#row(candidates, [this.#logits, ((row + 1) * positions - 1) * vocabulary]);
    });
  }

  release(): void {
    this.#views.release();
    for (const tensor of this.#tensors) tensor.release();
  }

  #row(atHand: Candidates, place: Place): RowLogits {
    const vocabulary = this.#port.vocabulary!;
    return {
      atHand,
      all: async () => {
        await copyElements(this.#session, place, [this.#brought, 0], vocabulary);
        return toFloats(this.#brought.data as LogitsArray);
      },
      keep: async () => {
        await copyElements(this.#session, place, [this.#kept, 0], vocabulary);
        const { logits, tokens } = atHand;
        return this.#row({ ...atHand, logits: logits.slice(), tokens: tokens.slice() }, [this.#kept, 0]);
      },
    };
  }
}

function divisor(temperature: number): number {
  return temperature === 0 ? 1 : temperature;
}
