import { type Candidates } from '../../sampling/sample-candidates.js';

/** The logits behind one position of a row; until the next run of the graph. */
export interface RowLogits {
  /** What is in the memory of the CPU: all of them or, where they are on a device, what it found of them. */
  readonly atHand: Float32Array | Candidates;
  /** All of them, brought from the device; until another row is brought. */
  all(): Promise<Float32Array>;
  /** The same, until another row is kept. */
  keep(): Promise<RowLogits>;
}
