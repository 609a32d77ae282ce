import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSafetensors } from './safetensors.js';
import { writeSafetensors } from '../../testing/write-safetensors.fixture.js';

describe('readSafetensors', () => {
  it('reads a real adapter', () => {
    const file = readFileSync(new URL('../../../../../models/tiny-arith/adapters/add-only-v1/adapter_model.safetensors', import.meta.url));
    const tensors = readSafetensors(file);
    expect(tensors.size).toBe(16);
    expect(tensors.get('base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight')?.shape).toEqual([4, 128]);
  });

  it('reads F32, F16 and BF16', () => {
    const file = writeSafetensors({
      single: { dtype: 'F32', shape: [2], bytes: new Uint8Array(Float32Array.of(1.5, -2).buffer) },
      half: { dtype: 'F16', shape: [2, 1], bytes: new Uint8Array(Uint16Array.of(0x3e00, 0xc000).buffer) },
      brain: { dtype: 'BF16', shape: [2], bytes: new Uint8Array(Uint16Array.of(0x3fc0, 0xc000).buffer) },
    });
    const values = [...readSafetensors(file).values()].map((tensor) => [...tensor.values]);
    expect(values).toEqual([
      [1.5, -2],
      [1.5, -2],
      [1.5, -2],
    ]);
  });

  it.each([
    ['an empty file', new Uint8Array(0), /shorter/],
    ['a huge header', Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 255), /claims/],
    ['a header that is not JSON', Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0x7b), /not JSON/],
    ['another type', writeSafetensors({ t: { dtype: 'I8', shape: [1], bytes: Uint8Array.of(1) } }), /t has the type I8/],
    ['a shape that does not fit', writeSafetensors({ t: { dtype: 'F32', shape: [3], bytes: new Uint8Array(4) } }), /t does not lie/],
    ['a negative size', writeSafetensors({ t: { dtype: 'F32', shape: [-1], bytes: new Uint8Array(4) } }), /malformed/],
  ])('refuses %s', (_, file, message) => {
    expect(() => readSafetensors(file)).toThrow(message);
  });

  it('refuses data cut off at the end', () => {
    const file = writeSafetensors({ t: { dtype: 'F32', shape: [1], bytes: new Uint8Array(4) } });
    expect(() => readSafetensors(file.subarray(0, -1))).toThrow(/t does not lie/);
  });
});
