import { OnnxFormatError, readBytes, readFields, readText, readUnsigned, readUnsignedList } from './protobuf-reader.js';
import { byteLength, bytesField, joinPieces, type Pieces, textField } from './protobuf-writer.js';

/** Codes of TensorProto.DataType that are met here. */
export const ElementType = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, bool: 9, float16: 10, float64: 11, bfloat16: 16 } as const;

/** An ONNX file, decoded as far as it is read or edited here. Everything else is kept byte for byte. */
export interface OnnxModel {
  /** Undecoded fields of ModelProto. */
  header: Uint8Array[];
  nodes: OnnxNode[];
  initializers: OnnxTensor[];
  inputs: OnnxValue[];
  outputs: OnnxValue[];
  /** Undecoded fields of GraphProto. */
  rest: Uint8Array[];
}

export interface OnnxNode {
  name: string;
  opType: string;
  domain: string;
  inputs: string[];
  outputs: string[];
  /** Undecoded fields, attributes among them. */
  rest: Uint8Array[];
}

export interface OnnxTensor {
  name: string;
  dims: number[];
  elementType: number;
  /** Where the data is when it is not in the file. */
  external: { location: string; offset: number; length: number | null } | null;
  /** The whole TensorProto. */
  bytes: Uint8Array;
}

export interface OnnxValue {
  name: string;
  /** null: not a tensor, or of unknown type. */
  elementType: number | null;
  /** Sizes, with null for a dimension that is free; null when even the rank is unknown. */
  dims: (number | null)[] | null;
  bytes: Uint8Array;
}

const MODEL_GRAPH = 7;
const GRAPH = { node: 1, initializer: 5, input: 11, output: 12 } as const;
const NODE = { input: 1, output: 2, name: 3, opType: 4, domain: 7 } as const;

/** Decodes an ONNX file. Strict: what does not fit the format is an error, never a guess. @throws OnnxFormatError */
export function parseOnnx(file: Uint8Array): OnnxModel {
  const model: OnnxModel = { header: [], nodes: [], initializers: [], inputs: [], outputs: [], rest: [] };
  let graph: Uint8Array | null = null;
  for (const field of readFields(file)) {
    if (field.number !== MODEL_GRAPH) {
      model.header.push(field.raw);
    } else {
      if (graph !== null) throw new OnnxFormatError('more than one graph');
      graph = readBytes(field);
    }
  }
  if (graph === null) throw new OnnxFormatError('no graph; this is not an ONNX model');
  for (const field of readFields(graph)) {
    if (field.number === GRAPH.node) model.nodes.push(parseNode(readBytes(field)));
    else if (field.number === GRAPH.initializer) model.initializers.push(parseTensor(readBytes(field)));
    else if (field.number === GRAPH.input) model.inputs.push(parseValue(readBytes(field)));
    else if (field.number === GRAPH.output) model.outputs.push(parseValue(readBytes(field)));
    else model.rest.push(field.raw);
  }
  if (model.nodes.length === 0) throw new OnnxFormatError('the graph has no nodes');
  return model;
}

/** The file of a decoded model. An unedited model comes back with the same content, its graph's fields in the order nodes, initializers, inputs, outputs, rest. */
export function encodeOnnx(model: OnnxModel): Uint8Array {
  const graph: Pieces = [
    ...model.nodes.flatMap((node) => bytesField(GRAPH.node, encodeNode(node))),
    ...model.initializers.flatMap(({ bytes }) => bytesField(GRAPH.initializer, [bytes])),
    ...model.inputs.flatMap(({ bytes }) => bytesField(GRAPH.input, [bytes])),
    ...model.outputs.flatMap(({ bytes }) => bytesField(GRAPH.output, [bytes])),
    ...model.rest,
  ];
  const file = [...model.header, ...bytesField(MODEL_GRAPH, graph)];
  if (byteLength(file) >= 2 ** 31)
    throw new OnnxFormatError('the graph with the adapter is over 2 GiB; export the weights as external data');
  return joinPieces(file);
}

function parseNode(message: Uint8Array): OnnxNode {
  const node: OnnxNode = { name: '', opType: '', domain: '', inputs: [], outputs: [], rest: [] };
  for (const field of readFields(message)) {
    if (field.number === NODE.input) node.inputs.push(readText(field));
    else if (field.number === NODE.output) node.outputs.push(readText(field));
    else if (field.number === NODE.name) node.name = readText(field);
    else if (field.number === NODE.opType) node.opType = readText(field);
    else if (field.number === NODE.domain) node.domain = readText(field);
    else node.rest.push(field.raw);
  }
  return node;
}

function encodeNode(node: OnnxNode): Pieces {
  return [
    ...node.inputs.map((input) => textField(NODE.input, input)),
    ...node.outputs.map((output) => textField(NODE.output, output)),
    textField(NODE.name, node.name),
    textField(NODE.opType, node.opType),
    ...(node.domain === '' ? [] : [textField(NODE.domain, node.domain)]),
    ...node.rest,
  ];
}

/** TensorProto: dims 1, data_type 2, name 8, external_data 13 (key 1, value 2), data_location 14 (1 = external). */
function parseTensor(bytes: Uint8Array): OnnxTensor {
  const tensor: OnnxTensor = { name: '', dims: [], elementType: 0, external: null, bytes };
  const entries = new Map<string, string>();
  let isExternal = false;
  for (const field of readFields(bytes)) {
    if (field.number === 1) tensor.dims.push(...readUnsignedList(field));
    else if (field.number === 2) tensor.elementType = readUnsigned(field);
    else if (field.number === 8) tensor.name = readText(field);
    else if (field.number === 13) entries.set(...parseEntry(readBytes(field)));
    else if (field.number === 14) isExternal = readUnsigned(field) === 1;
  }
  if (isExternal) {
    const location = entries.get('location');
    if (location === undefined) throw new OnnxFormatError(`external tensor ${tensor.name} names no file`);
    const length = entries.get('length');
    tensor.external = {
      location,
      offset: parseSize(entries.get('offset') ?? '0', tensor.name),
      length: length === undefined ? null : parseSize(length, tensor.name),
    };
  }
  return tensor;
}

function parseEntry(message: Uint8Array): [key: string, value: string] {
  let key = '';
  let value = '';
  for (const field of readFields(message)) {
    if (field.number === 1) key = readText(field);
    else if (field.number === 2) value = readText(field);
  }
  return [key, value];
}

function parseSize(text: string, tensor: string): number {
  const size = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(size)) throw new OnnxFormatError(`external tensor ${tensor} has the offset or length "${text}"`);
  return size;
}

/** ValueInfoProto: name 1, type 2 → tensor_type 1 → elem_type 1, shape 2 → dim 1 → dim_value 1 or dim_param 2. */
function parseValue(bytes: Uint8Array): OnnxValue {
  const value: OnnxValue = { name: '', elementType: null, dims: null, bytes };
  for (const field of readFields(bytes)) {
    if (field.number === 1) value.name = readText(field);
    else if (field.number === 2) parseTensorType(readBytes(field), value);
  }
  return value;
}

function parseTensorType(type: Uint8Array, value: OnnxValue): void {
  for (const field of readFields(type)) {
    if (field.number !== 1) continue;
    for (const inner of readFields(readBytes(field))) {
      if (inner.number === 1) value.elementType = readUnsigned(inner);
      else if (inner.number === 2)
        value.dims = [...readFields(readBytes(inner))].filter(({ number }) => number === 1).map((dim) => parseDim(readBytes(dim)));
    }
  }
}

function parseDim(dim: Uint8Array): number | null {
  for (const field of readFields(dim)) if (field.number === 1) return readUnsigned(field);
  return null;
}
