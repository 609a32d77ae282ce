import { describe, expect, it } from 'vitest';
import { type AskedBackend, chooseBackend } from './choose-backend.js';
import { OrtError } from './ort-session.js';

const MISSING = 'no library for sunos sparc';
const CUDA = { kind: 'cuda', deviceId: 0 } as const;
const WEBGPU = { kind: 'webgpu' } as const;

describe('chooseBackend', () => {
  it.each<[string, AskedBackend, string | null, string, RegExp]>([
    ['anything', {}, null, 'ort-c', /loads/],
    ['the C API', { backend: 'ort-c' }, null, 'ort-c', /loads/],
    ['CUDA', { provider: CUDA }, null, 'ort-c', /loads/],
    ['the JavaScript API', { backend: 'ort-js' }, null, 'ort-js', /asked for/],
    ['WebGPU', { provider: WEBGPU }, null, 'ort-js', /WebGPU .* only/],
    ['anything, without the C API', {}, MISSING, 'ort-js', /sunos/],
    ['the JavaScript API, without that of C', { backend: 'ort-js' }, MISSING, 'ort-js', /asked for/],
  ])('for %s', (_, asked, missing, backend, reason) => {
    expect(chooseBackend(asked, missing)).toEqual({ backend, reason: expect.stringMatching(reason) });
  });

  it.each<[string, AskedBackend, string | null, RegExp]>([
    ['the C API where it is not', { backend: 'ort-c' }, MISSING, /^no library for sunos sparc$/],
    ['WebGPU through the C API', { backend: 'ort-c', provider: WEBGPU }, null, /^WebGPU is reached through the JavaScript API only$/],
    ['CUDA through the JavaScript API', { backend: 'ort-js', provider: CUDA }, null, /^CUDA needs the C API: .* \(it was asked for\)$/],
    ['CUDA without the C API', { provider: CUDA }, MISSING, /^CUDA needs the C API: .* \(no library for sunos sparc\)$/],
  ])('refuses %s', (_, asked, missing, message) => {
    expect(() => chooseBackend(asked, missing)).toThrow(OrtError);
    expect(() => chooseBackend(asked, missing)).toThrow(message);
  });
});
