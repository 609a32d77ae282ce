import { dirname, join } from 'node:path';
import { arch, platform } from 'node:os';
import { type JsonObject, KilnError } from '@kiln/contracts';
import { sha256File } from '../sha256-file.js';
import { cudaVersions } from './cuda-versions.js';
import { CUDA_LIBRARIES, cudaOptions } from './ort-c-options.js';
import { ortLibraryPath } from './ort-library.js';
import { type Provider } from './ort-session.js';
import { readGpu } from './read-gpu.js';

/** What is known of a provider on this machine. */
export interface ProviderFacts {
  /** What results may depend on besides the runtime and the CPU: the provider, its libraries and options, and its device. */
  readonly provenance: JsonObject;
  /** Memory of the provider's device; null: it computes in that of the machine, or that is not known. */
  readonly deviceBytes: number | null;
}

/** Where facts of a machine come from. */
export interface FactSources {
  readonly gpu: typeof readGpu;
  readonly versions: typeof cudaVersions;
  /** Of the runtime's libraries. */
  readonly folder: string;
}

/** What is known of any provider without asking for it. */
export function plainFacts({ kind }: Provider): ProviderFacts {
  return { provenance: { execution_provider: kind }, deviceBytes: null };
}

/** Asks the machine: it starts programs, and reads hundreds of megabytes of libraries. @throws KilnError `internal_error` that says what to do */
export async function providerFacts(provider: Provider, sources?: FactSources): Promise<ProviderFacts> {
  if (provider.kind !== 'cuda') return plainFacts(provider);
  const { gpu, versions, folder } = sources ?? { gpu: readGpu, versions: cudaVersions, folder: runtimeFolder() };
  const { name, driver, computeCapability, memoryBytes } = await gpu(provider.deviceId);
  const libraries: Record<string, string> = {};
  for (const file of CUDA_LIBRARIES) libraries[file] = await sha256File(join(folder, file));
  // Which of several GPUs of a kind it is, matters to nobody.
  const { device_id: _, ...options } = cudaOptions(provider);
  const provenance = {
    execution_provider: 'cuda',
    deterministic_compute: true,
    cuda_options: options,
    cuda_provider_libraries: libraries,
    cuda_versions: await versions(),
    gpu: name,
    gpu_compute_capability: computeCapability,
    gpu_driver: driver,
  };
  return { provenance, deviceBytes: memoryBytes };
}

function runtimeFolder(): string {
  const path = ortLibraryPath(platform(), arch());
  if (path === null) throw new KilnError('internal_error', `onnxruntime-node has no library for ${platform()} ${arch()}, and so no CUDA`);
  return dirname(path);
}
