import { describe, expect, it } from 'vitest';
import { checkComplete, checkTensor, getSpec } from './check-tensors.js';
import { elementCount, elementOfCode, ELEMENTS, type OrtElement } from './ort-element.js';
import { type OrtTensor, type TensorSpec } from './ort-session.js';

const tensor = (type: OrtElement, shape: number[]) => ({ type, shape }) as unknown as OrtTensor;
const spec: TensorSpec = { name: 'past', type: 'float16', shape: ['batch', 2, '', 32] };

describe('checkTensor', () => {
  it.each([[[1, 2, 0, 32]], [[8, 2, 700, 32]]])('lets free sizes be what they are: %j', (shape) => {
    expect(() => checkTensor('input', spec, tensor('float16', shape))).not.toThrow();
  });

  it('refuses the rest by name', () => {
    const check = (type: OrtElement, shape: number[]) => () => checkTensor('input', spec, tensor(type, shape));
    expect(check('float32', [1, 2, 0, 32])).toThrow(new TypeError('input past is float16, not float32'));
    expect(check('float16', [1, 3, 0, 32])).toThrow(new RangeError('input past has the shape [batch, 2, ?, 32], not [1, 3, 0, 32]'));
    expect(check('float16', [1, 2, 0])).toThrow(RangeError);
    const text: TensorSpec = { name: 'labels', type: null, shape: [] };
    expect(() => checkTensor('output', text, tensor('int64', []))).toThrow(/output labels is of a type that cannot be used here/);
  });
});

describe('checkComplete and getSpec', () => {
  it('name what is missing, and what there is', () => {
    const specs = ['a', 'constructor'].map((name): TensorSpec => ({ name, type: 'int64', shape: [] }));
    expect(() => checkComplete(specs, { a: 1 })).toThrow(new TypeError('input constructor is not fed'));
    expect(() => checkComplete(specs, {})).toThrow(/input a, constructor is not fed/);
    expect(() => checkComplete(specs, { a: 1, constructor: 2 })).not.toThrow();
    const byName = new Map(specs.map((each) => [each.name, each]));
    expect(getSpec('output', byName, 'constructor')).toBe(specs[1]);
    expect(() => getSpec('output', byName, 'toString')).toThrow(/no output toString; it has a, constructor/);
  });
});

describe('elements', () => {
  it('have the codes of TensorProto.DataType', () => {
    // onnx.proto: FLOAT 1 … BOOL 9, FLOAT16 10, DOUBLE 11, UINT32 12, UINT64 13; STRING 8 and BFLOAT16 16 have no array here.
    const codes = Array.from({ length: 17 }, (_, code) => elementOfCode(code));
    const named = 'float32 uint8 int8 uint16 int16 int32 int64'.split(' ');
    expect(codes).toEqual([null, ...named, null, 'bool', 'float16', 'float64', 'uint32', 'uint64', null, null, null]);
    for (const { array, bytes } of Object.values(ELEMENTS)) expect(new array(new ArrayBuffer(8), 0, 1).byteLength).toBe(bytes);
  });

  it('are counted', () => {
    expect([[], [0, 5], [2, 3]].map((shape) => elementCount(shape))).toEqual([1, 0, 6]);
    for (const shape of [[-1], [0.5], [NaN]]) expect(() => elementCount(shape)).toThrow(RangeError);
  });
});
