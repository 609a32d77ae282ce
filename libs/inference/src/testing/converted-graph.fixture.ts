import { newExternalTensor, newTensor } from '../onnx/graph/new-tensor.js';
import { newValue } from '../onnx/graph/new-value.js';
import { ElementType, type OnnxModel, type OnnxTensor, type OnnxValue } from '../onnx/graph/onnx-model.js';
import { joinPieces } from '../onnx/graph/protobuf-writer.js';
import { tensorValues } from './quantised-graph.fixture.js';

/** The model with weights, cache and logits in float16, as `model_fp16.onnx` files have them. */
export function toFloat16(model: OnnxModel): OnnxModel {
  const isSingle = ({ elementType }: { elementType: number | null }) => elementType === ElementType.float32;
  const halve = (value: OnnxValue): OnnxValue =>
    isSingle(value)
      ? newValue(
          value.name,
          ElementType.float16,
          (value.dims ?? []).map((dim) => dim ?? 'free'),
        )
      : value;
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
    const external = { location, offset, length: data.length };
    offset += data.length;
    return newExternalTensor(tensor.name, tensor.dims, tensor.elementType, external);
  });
  return { model: { ...model, initializers }, data: joinPieces(pieces) };
}
