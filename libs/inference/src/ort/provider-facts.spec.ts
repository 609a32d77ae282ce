import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { providerFacts } from './provider-facts.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kiln-provider-'));
  for (const part of ['shared', 'cuda']) await writeFile(join(folder, `libonnxruntime_providers_${part}.so`), part);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('providerFacts', () => {
  it.each(['cpu', 'webgpu'] as const)('of %s: its name', async (kind) => {
    expect(await providerFacts({ kind })).toEqual({ provenance: { execution_provider: kind }, deviceBytes: null });
  });

  it('of CUDA: what the answers of a GPU may depend on, whichever of its kind it is', async () => {
    const sources = {
      gpu: async () => ({ name: 'NVIDIA H200', driver: '550.54.15', computeCapability: '9.0', memoryBytes: 2 ** 37 }),
      versions: async () => ({ 'libcudnn.so.9': '9.7.0' }),
      folder,
    };
    const facts = await providerFacts({ kind: 'cuda', deviceId: 0 }, sources);
    expect(facts.deviceBytes).toBe(2 ** 37);
    expect(facts.provenance).toEqual({
      execution_provider: 'cuda',
      deterministic_compute: true,
      cuda_options: { use_tf32: '0', arena_extend_strategy: 'kSameAsRequested' },
      cuda_provider_libraries: {
        'libonnxruntime_providers_shared.so': sha256('shared'),
        'libonnxruntime_providers_cuda.so': sha256('cuda'),
      },
      cuda_versions: { 'libcudnn.so.9': '9.7.0' },
      gpu: 'NVIDIA H200',
      gpu_compute_capability: '9.0',
      gpu_driver: '550.54.15',
    });
    expect(await providerFacts({ kind: 'cuda', deviceId: 1 }, sources)).toEqual(facts);
  });
});
