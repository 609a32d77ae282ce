import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newTensor } from './new-tensor.js';
import { ElementType, encodeOnnx, parseOnnx } from './onnx-model.js';
import { OnnxFormatError } from './protobuf-reader.js';
import { bytesField, joinPieces, textField, varintField } from './protobuf-writer.js';

const file = readFileSync(new URL('../../../../../models/tiny-arith/onnx/model.onnx', import.meta.url));

describe('parseOnnx', () => {
  it('reads a real model', () => {
    const model = parseOnnx(file);
    expect(model.inputs.map(({ name }) => name).slice(0, 3)).toEqual(['input_ids', 'attention_mask', 'past_key_values.0.key']);
    expect(model.inputs[2]).toMatchObject({ elementType: ElementType.float32, dims: [null, 2, null, 32] });
    const projection = model.nodes.find(({ name }) => name === '/model/layers.0/attn/q_proj/MatMul');
    expect(projection?.opType).toBe('MatMul');
    expect(model.initializers.find(({ name }) => name === projection?.inputs[1])).toMatchObject({
      dims: [128, 128],
      elementType: ElementType.float32,
      external: null,
    });
  });

  it('writes what it has read', () => {
    const model = parseOnnx(file);
    const written = encodeOnnx(model);
    const again = parseOnnx(written);
    expect(Buffer.compare(encodeOnnx(again), written)).toBe(0);
    expect(again.nodes.map(({ name }) => name)).toEqual(model.nodes.map(({ name }) => name));
    expect(again.initializers.every(({ bytes }, i) => Buffer.compare(bytes, model.initializers[i]!.bytes) === 0)).toBe(true);
  });

  it('refuses every truncation', () => {
    const small = tinyModel();
    expect(parseOnnx(small).nodes).toHaveLength(1);
    for (let length = 0; length < small.length; length++) {
      expect(() => parseOnnx(small.subarray(0, length))).toThrow(OnnxFormatError);
    }
  });

  it('never fails in another way on damaged bytes', () => {
    const small = tinyModel();
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(small.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), (damage) => {
        const copy = Uint8Array.from(small);
        for (const [at, byte] of damage) copy[at] = byte;
        try {
          parseOnnx(copy);
        } catch (error) {
          expect(error).toBeInstanceOf(OnnxFormatError);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['nothing', new Uint8Array(0), /no graph/],
    ['text', Buffer.from('{"not": "onnx"}'), /wire type|after the end|no graph/],
    ['two graphs', joinPieces([...bytesField(7, []), ...bytesField(7, [])]), /more than one graph/],
    ['an empty graph', joinPieces(bytesField(7, [])), /no nodes/],
    ['a number without end', new Uint8Array(20).fill(0xff), /longer than 10 bytes/],
  ])('refuses %s', (_, bytes, message) => {
    expect(() => parseOnnx(bytes)).toThrow(message);
  });
});

describe('external data', () => {
  const entry = (key: string, value: string) => bytesField(13, [textField(1, key), textField(2, value)]);
  const withTensor = (tensor: Uint8Array[]) =>
    joinPieces(bytesField(7, [...bytesField(1, [textField(4, 'Identity')]), ...bytesField(5, tensor)]));

  it('is located', () => {
    const tensor = [textField(8, 'w'), ...entry('location', 'model.onnx_data'), ...entry('offset', '4096'), varintField(14, 1)];
    expect(parseOnnx(withTensor(tensor)).initializers[0]?.external).toEqual({ location: 'model.onnx_data', offset: 4096, length: null });
  });

  it('needs a file and whole offsets', () => {
    expect(() => parseOnnx(withTensor([varintField(14, 1)]))).toThrow(/names no file/);
    const negative = [...entry('location', 'd'), ...entry('offset', '-1'), varintField(14, 1)];
    expect(() => parseOnnx(withTensor(negative))).toThrow(/offset or length/);
  });
});

function tinyModel(): Uint8Array {
  const node = [textField(1, 'x'), textField(2, 'y'), textField(3, 'n'), textField(4, 'Identity')];
  const tensor = [newTensor('w', [2], ElementType.float32, Float32Array.of(1, 2)).bytes];
  return joinPieces([varintField(1, 8), ...bytesField(7, [...bytesField(1, node), ...bytesField(5, tensor)])]);
}
