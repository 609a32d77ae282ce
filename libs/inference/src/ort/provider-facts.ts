import { dirname, join } from 'node:path';
import { arch, platform } from 'node:os';
import { type JsonObject, KilnError } from '@kiln/contracts';
import { type FileMemo } from '../file-memo.js';
import { sha256File } from '../sha256-file.js';
import { cudaVersions } from './cuda-versions.js';
import { CUDA_LIBRARIES, cudaOptions } from './ort-c-options.js';
import { ortLibraryPath } from './ort-library.js';
import { type Provider } from './ort-session.js';
import { readGpu } from './read-gpu.js';

/** Where facts of a machine come from. */
export interface FactSources {
  readonly gpu: typeof readGpu;
  readonly versions: typeof cudaVersions;
  /** Of the runtime's libraries. */
  readonly folder: string;
}

/** What results may depend on besides the runtime and the CPU: the provider, its libraries and options, and its device. @throws KilnError `internal_error` */
export async function providerFacts(provider: Provider, memo: FileMemo, sources?: FactSources): Promise<JsonObject> {
  if (provider.kind !== 'cuda') return { execution_provider: provider.kind };
  const { gpu, versions, folder } = sources ?? { gpu: readGpu, versions: cudaVersions, folder: runtimeFolder() };
  const { name, driver, computeCapability } = await gpu(provider.deviceId);
  const libraries: Record<string, string> = {};
  for (const file of CUDA_LIBRARIES) libraries[file] = await memo.of(join(folder, file), 'sha256', sha256File);
  // Which of several GPUs of a kind it is, matters to nobody.
  const { device_id: _, ...options } = cudaOptions(provider);
  return {
    execution_provider: 'cuda',
    deterministic_compute: true,
    cuda_options: options,
    cuda_provider_libraries: libraries,
    cuda_versions: await versions(),
    gpu: name,
    gpu_compute_capability: computeCapability,
    gpu_driver: driver,
  };
}

function runtimeFolder(): string {
  const path = ortLibraryPath(platform(), arch());
  if (path === null) throw new KilnError('internal_error', `onnxruntime-node has no library for ${platform()} ${arch()}, and so no CUDA`);
  return dirname(path);
}
