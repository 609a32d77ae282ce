import { type OrtSession } from '../../ort/ort-session.js';
import { type DecoderLayout } from '../decoder-layout.js';
import { hasSamplingHead } from '../graph/sampling-head.js';
import { DeviceLogits } from './device-logits.js';
import { HostLogits } from './host-logits.js';
import { type LogitsPorts } from './logits-ports.js';

/**
 * @param most rows times positions of a run.
 * @throws RangeError or OrtError when there is not enough memory.
 */
export function openLogitsPorts(session: OrtSession, { logits }: DecoderLayout, rows: number, most: number): LogitsPorts {
  return hasSamplingHead(session) ? new DeviceLogits(session, logits, rows, most) : new HostLogits(session, logits, most);
}
