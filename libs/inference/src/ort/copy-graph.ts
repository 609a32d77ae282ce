import { ELEMENTS, type OrtElement } from './ort-element.js';
import { bytesField, joinPieces, type Pieces, textField, varintField } from '../onnx/graph/protobuf-writer.js';

/** A graph that copies a vector `from` of any length to `to`, for memory that only the runtime can reach. */
export function copyGraph(type: OrtElement): Uint8Array {
  const shape = bytesField(2, bytesField(1, [textField(2, 'n')]));
  const vector = bytesField(2, bytesField(1, [varintField(1, ELEMENTS[type].code), ...shape]));
  const port = (name: string): Pieces => [textField(1, name), ...vector];
  const node = [textField(1, 'from'), textField(2, 'to'), textField(4, 'Identity')];
  const graph = [...bytesField(1, node), textField(2, 'copy'), ...bytesField(11, port('from')), ...bytesField(12, port('to'))];
  const IR_VERSION = 8;
  const OPSET = 17;
  return joinPieces([varintField(1, IR_VERSION), ...bytesField(7, graph), ...bytesField(8, [textField(1, ''), varintField(2, OPSET)])]);
}
