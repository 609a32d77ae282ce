import { newTensor } from '../onnx/graph/new-tensor.js';
import { ElementType, type OnnxModel, type OnnxTensor, type OnnxValue } from '../onnx/graph/onnx-model.js';
import { bytesField, joinPieces, textField, varintField } from '../onnx/graph/protobuf-writer.js';
import { tensorValues } from './quantised-graph.fixture.js';

/** The model with weights, cache and logits in float16, as `model_fp16.onnx` files have them. */
export function toFloat16(model: OnnxModel): OnnxModel {
  const isSingle = ({ elementType }: { elementType: number | null }) => elementType === ElementType.float32;
  const halve = (value: OnnxValue): OnnxValue => {
    if (!isSingle(value)) return value;
    const shape = (value.dims ?? []).flatMap((dim) => bytesField(1, dim === null ? [textField(2, 'free')] : [varintField(1, dim)]));
    const type = bytesField(2, bytesField(1, [varintField(1, ElementType.float16), ...bytesField(2, shape)]));
    return { ...value, elementType: ElementType.float16, bytes: joinPieces([textField(1, value.name), ...type]) };
  };
  return {
    ...model,
    inputs: model.inputs.map(halve),
    outputs: model.outputs.map(halve),
    initializers: model.initializers.map((tensor) =>
      isSingle(tensor) ? newTensor(tensor.name, tensor.dims, ElementType.float16, tensorValues(tensor)) : tensor,
    ),
  };
}

/** The model with its large weights outside, and the bytes of the file `location` that they are in. */
export function externaliseWeights(model: OnnxModel, location: string): { model: OnnxModel; data: Uint8Array } {
  const pieces: Uint8Array[] = [];
  let offset = 0;
  const initializers = model.initializers.map((tensor): OnnxTensor => {
    if (tensor.elementType !== ElementType.float32 || tensor.bytes.length < 4096) return tensor;
    const values = tensorValues(tensor);
    const data = new Uint8Array(values.buffer);
    pieces.push(data);
    const entry = (key: string, value: string) => bytesField(13, [textField(1, key), textField(2, value)]);
    const bytes = joinPieces([
      ...tensor.dims.map((dim) => varintField(1, dim)),
      varintField(2, tensor.elementType),
      textField(8, tensor.name),
      ...entry('location', location),
      ...entry('offset', String(offset)),
      ...entry('length', String(data.length)),
      varintField(14, 1),
    ]);
    const external = { location, offset, length: data.length };
    offset += data.length;
    return { ...tensor, external, bytes };
  });
  return { model: { ...model, initializers }, data: joinPieces(pieces) };
}
