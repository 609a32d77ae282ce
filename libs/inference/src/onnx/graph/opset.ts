import { type OnnxModel } from './onnx-model.js';
import { readBytes, readFields, readText, readUnsigned } from './protobuf-reader.js';

const OPSET_IMPORT = 8;

/** The version of ONNX's own operators that a model is written in; 1 when it says none. */
export function opset({ header }: Pick<OnnxModel, 'header'>): number {
  for (const raw of header) {
    for (const field of readFields(raw)) {
      if (field.number !== OPSET_IMPORT) continue;
      let domain = '';
      let version = 1;
      for (const inner of readFields(readBytes(field))) {
        if (inner.number === 1) domain = readText(inner);
        else if (inner.number === 2) version = readUnsigned(inner);
      }
      if (domain === '' || domain === 'ai.onnx') return version;
    }
  }
  return 1;
}
