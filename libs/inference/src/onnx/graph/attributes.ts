import { type OnnxNode } from './onnx-model.js';
import {
  OnnxFormatError,
  readBytes,
  readFields,
  readSigned,
  readSignedList,
  readText,
  type WireField,
  WireType,
} from './protobuf-reader.js';
import { bytesField, fixed32Field, joinPieces, textField, varintField } from './protobuf-writer.js';

/** Attributes of a node to be written, by name. Whole numbers are INT (ONNX tells INT from FLOAT); wrap a float in `{ float }`. */
export type Attributes = Readonly<Record<string, number | { float: number } | readonly number[]>>;

const NODE_ATTRIBUTE = 5;
const ATTRIBUTE = { name: 1, float: 2, int: 3, ints: 8, type: 20 } as const;
const TYPE = { float: 1, int: 2, ints: 7 } as const;

/** The value of an INT attribute; null when the node does not have it. @throws OnnxFormatError */
export function readIntAttribute(node: OnnxNode, name: string): number | null {
  const field = findAttribute(node, name)?.find(({ number }) => number === ATTRIBUTE.int);
  return field === undefined ? null : readSigned(field);
}

/** The value of an INTS attribute; null when the node does not have it. @throws OnnxFormatError */
export function readIntsAttribute(node: OnnxNode, name: string): number[] | null {
  const fields = findAttribute(node, name);
  return fields === null ? null : fields.filter(({ number }) => number === ATTRIBUTE.ints).flatMap(readSignedList);
}

/** The value of a FLOAT attribute; null when the node does not have it. @throws OnnxFormatError */
export function readFloatAttribute(node: OnnxNode, name: string): number | null {
  const field = findAttribute(node, name)?.find(({ number }) => number === ATTRIBUTE.float);
  if (field === undefined) return null;
  if (field.wireType !== WireType.fixed32) throw new OnnxFormatError(`the attribute ${name} is not a float`);
  return new DataView(field.value.buffer, field.value.byteOffset, 4).getFloat32(0, true);
}

/** A node with attributes. An operator of another domain than the standard one has it before a dot: `com.microsoft.FusedMatMul`. */
export function newNode(
  name: string,
  opType: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Attributes = {},
): OnnxNode {
  const dot = opType.lastIndexOf('.');
  const rest = Object.entries(attributes).map(([key, value]) => joinPieces(bytesField(NODE_ATTRIBUTE, encodeAttribute(key, value))));
  return {
    name,
    opType: opType.slice(dot + 1),
    domain: opType.slice(0, Math.max(dot, 0)),
    inputs: [...inputs],
    outputs: [...outputs],
    rest,
  };
}

function encodeAttribute(name: string, value: Attributes[string]): Uint8Array[] {
  if (typeof value === 'number') {
    return [textField(ATTRIBUTE.name, name), varintField(ATTRIBUTE.int, value), varintField(ATTRIBUTE.type, TYPE.int)];
  }
  if ('float' in value) {
    return [textField(ATTRIBUTE.name, name), fixed32Field(ATTRIBUTE.float, value.float), varintField(ATTRIBUTE.type, TYPE.float)];
  }
  return [
    textField(ATTRIBUTE.name, name),
    ...value.map((item) => varintField(ATTRIBUTE.ints, item)),
    varintField(ATTRIBUTE.type, TYPE.ints),
  ];
}

function findAttribute(node: OnnxNode, name: string): WireField[] | null {
  for (const raw of node.rest) {
    for (const field of readFields(raw)) {
      if (field.number !== NODE_ATTRIBUTE) continue;
      const fields = [...readFields(readBytes(field))];
      if (fields.some((inner) => inner.number === ATTRIBUTE.name && readText(inner) === name)) return fields;
    }
  }
  return null;
}
