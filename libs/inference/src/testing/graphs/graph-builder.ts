import { type Attributes, newNode } from '../../onnx/graph/attributes.js';
import { encodeFloats, newExternalTensor, newRawTensor } from '../../onnx/graph/new-tensor.js';
import { newValue } from '../../onnx/graph/new-value.js';
import { ElementType, type OnnxModel } from '../../onnx/graph/onnx-model.js';
import { bytesField, joinPieces, textField, varintField } from '../../onnx/graph/protobuf-writer.js';

/** Takes a weight's bytes and says where they are; null = keep them in the graph's file. */
export type StoreWeight = (data: Uint8Array) => { location: string; offset: number; length: number } | null;

const IR_VERSION = 8;
const OPSETS = [
  { domain: '', version: 17 },
  { domain: 'com.microsoft', version: 1 },
];

/** Collects the nodes and tensors of a graph, and names what needs no name of its own. */
export class GraphBuilder {
  readonly #model: OnnxModel = { header: header(), nodes: [], initializers: [], inputs: [], outputs: [], rest: [] };
  readonly #constants = new Set<string>();
  readonly #storeWeight: StoreWeight;
  /** Of weights and activations. */
  readonly type: 'float32' | 'float16';

  constructor(type: 'float32' | 'float16', storeWeight: StoreWeight = () => null) {
    this.type = type;
    this.#storeWeight = storeWeight;
  }

  get model(): OnnxModel {
    return this.#model;
  }

  input(name: string, type: keyof typeof ElementType, dims: (number | string)[]): string {
    this.#model.inputs.push(newValue(name, ElementType[type], dims));
    return name;
  }

  output(name: string, type: keyof typeof ElementType, dims: (number | string)[]): string {
    this.#model.outputs.push(newValue(name, ElementType[type], dims));
    return name;
  }

  /** A weight or table in the builder's float type. */
  floats(name: string, dims: number[], values: Float32Array): string {
    return this.bytes(name, dims, this.type, encodeFloats(values, ElementType[this.type]));
  }

  bytes(name: string, dims: number[], type: keyof typeof ElementType, data: Uint8Array): string {
    const external = this.#storeWeight(data);
    const elementType = ElementType[type];
    const tensor = external === null ? newRawTensor(name, dims, elementType, data) : newExternalTensor(name, dims, elementType, external);
    this.#model.initializers.push(tensor);
    return name;
  }

  /** A constant in the builder's float type. */
  scalar(value: number): string {
    return this.#constant(`float_${value}`, (name) =>
      newRawTensor(name, [], ElementType[this.type], encodeFloats(Float32Array.of(value), ElementType[this.type])),
    );
  }

  /** A list of whole numbers, or one number alone. */
  integers(value: number | readonly number[]): string {
    const values = typeof value === 'number' ? [value] : value;
    const name = typeof value === 'number' ? `integer_${value}` : `integers_${values.join('_')}`;
    const data = new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
    return this.#constant(name, (key) => newRawTensor(key, typeof value === 'number' ? [] : [values.length], ElementType.int64, data));
  }

  /** One node with one output; the output's name. Operators of other domains as in {@link newNode}. */
  op(opType: string, inputs: string[], attributes: Attributes = {}, named: { name?: string; output?: string } = {}): string {
    const name = named.name ?? `/n${this.#model.nodes.length}/${opType}`;
    const output = named.output ?? `${name}/output_0`;
    this.#model.nodes.push(newNode(name, opType, inputs, [output], attributes));
    return output;
  }

  /** One node with several outputs. */
  ops(
    opType: string,
    inputs: string[],
    outputs: string[],
    attributes: Attributes = {},
    name = `/n${this.#model.nodes.length}/${opType}`,
  ): void {
    this.#model.nodes.push(newNode(name, opType, inputs, outputs, attributes));
  }

  #constant(name: string, make: (name: string) => OnnxModel['initializers'][number]): string {
    if (!this.#constants.has(name)) this.#model.initializers.push(make(name));
    this.#constants.add(name);
    return name;
  }
}

/** ModelProto: ir_version 1, opset_import 8 (domain 1, version 2). */
function header(): Uint8Array[] {
  const opsets = OPSETS.map(({ domain, version }) => joinPieces(bytesField(8, [textField(1, domain), varintField(2, version)])));
  return [varintField(1, IR_VERSION), ...opsets];
}
