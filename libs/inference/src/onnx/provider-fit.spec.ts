import { describe, expect, it } from 'vitest';
import { checkProviderFit } from './provider-fit.js';
import { UnsupportedModelError } from './unsupported-model-error.js';

const CUDA = { kind: 'cuda', deviceId: 0 } as const;

describe('checkProviderFit', () => {
  it('refuses GroupQueryAttention in float32 on CUDA', () => {
    expect(() => checkProviderFit({ attention: 'gqa', cacheType: 'float32' }, CUDA)).toThrow(UnsupportedModelError);
  });

  it.each([
    [{ attention: 'gqa', cacheType: 'float16' }, CUDA],
    [{ attention: 'plain', cacheType: 'float32' }, CUDA],
    [{ attention: 'gqa', cacheType: 'float32' }, { kind: 'cpu' }],
    [{ attention: 'gqa', cacheType: 'float32' }, { kind: 'webgpu' }],
  ] as const)('takes %j on %j', (layout, provider) => {
    expect(() => checkProviderFit(layout, provider)).not.toThrow();
  });
});
