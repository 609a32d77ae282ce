import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const RANDOM_BYTES = 16;
const IDS_PER_DRAW = 256;

/** Makes the ids of traces (UUIDv7). Randomness is drawn for many at once: a draw for each took longer than scoring the sample. */
export class TraceIds {
  readonly #random = new Uint8Array(RANDOM_BYTES * IDS_PER_DRAW);
  #used = this.#random.length;

  next(): string {
    if (this.#used === this.#random.length) {
      randomFillSync(this.#random);
      this.#used = 0;
    }
    const random = this.#random.subarray(this.#used, this.#used + RANDOM_BYTES);
    this.#used += RANDOM_BYTES;
    return v7({ random });
  }
}
