import { type OrtTensor } from '../../ort/ort-session.js';
import { type RowLogits } from './row-logits.js';

/** Where a graph's logits go, and how they are read from there. */
export interface LogitsPorts {
  /** What the graph takes for them. @param temperatures of the rows' draws; 0 = greedy. */
  feeds(temperatures: readonly number[]): Record<string, OrtTensor>;
  /** @param positions of each row that the graph computes logits for. */
  fetches(rows: number, positions: number): Record<string, OrtTensor>;
  /** The last position of each row, after a run. */
  read(rows: number, positions: number, temperatures: readonly number[]): RowLogits[];
  release(): void;
}
