/** Generated models, and what measuring an engine from outside takes, for `bench`; the library itself never loads this. */
export { type MachineLimits } from '../check/machine-limits.js';
export { stepLimit } from '../check/step-limit.js';
export { childEnvironment } from '../engine/child-environment.js';
export { encodeOnnx, type OnnxModel, parseOnnx } from '../onnx/graph/onnx-model.js';
export { byteLevelTokens } from '../onnx/text/byte-level-tokens.js';
export { Tokenizer } from '../onnx/text/tokenizer.js';
export { type DecoderShape, MID_SHAPE, TINY_SHAPE } from './graphs/decoder-graph-options.js';
export { GraphBuilder } from './graphs/graph-builder.js';
export { randomWeights } from './graphs/random-weights.js';
export { writeGeneratedModel } from './graphs/write-generated-model.js';
