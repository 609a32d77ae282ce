import { type OrtSession, type OrtTensor } from '../../ort/ort-session.js';
import { type DecoderLayout } from '../decoder-layout.js';
import { SAMPLING_HEAD } from '../graph/sampling-head.js';
import { DeviceLogits } from './device-logits.js';
import { HostLogits } from './host-logits.js';
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

/**
 * @param most rows times positions of a run.
 * @throws RangeError or OrtError when there is not enough memory.
 */
export function openLogitsPorts(session: OrtSession, { logits }: DecoderLayout, rows: number, most: number): LogitsPorts {
  const hasHead = session.outputs.some(({ name }) => name === SAMPLING_HEAD.mass);
  return hasHead ? new DeviceLogits(session, logits, rows, most) : new HostLogits(session, logits, most);
}
