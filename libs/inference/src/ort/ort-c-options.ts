import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DISABLED_OPTIMIZERS } from './graph-optimization.js';
import { type NativeObject } from './native-object.js';
import { LOG_SEVERITY, type OrtLibrary } from './ort-library.js';
import { type CudaProvider, OrtError, type OrtSessionOptions } from './ort-session.js';

const SEQUENTIAL = 0;
const ALL_OPTIMIZATIONS = 99;
/** Beside the runtime's own library. */
export const CUDA_LIBRARIES = ['libonnxruntime_providers_shared.so', 'libonnxruntime_providers_cuda.so'];

/** Options of a session, as an object that the caller frees. @throws OrtError */
export function newSessionOptions(library: OrtLibrary, { threads, baseFolder, provider }: OrtSessionOptions): NativeObject {
  const { call } = library;
  const options = library.own('session options', call.ReleaseSessionOptions, (out) => call.CreateSessionOptions(out));
  try {
    const { address } = options;
    library.check(call.SetSessionExecutionMode(address, SEQUENTIAL));
    library.check(call.SetSessionLogSeverityLevel(address, LOG_SEVERITY));
    library.check(call.SetSessionGraphOptimizationLevel(address, ALL_OPTIMIZATIONS));
    library.check(call.AddSessionConfigEntry(address, 'optimization.disable_specified_optimizers', DISABLED_OPTIMIZERS.join(';')));
    library.check(call.SetIntraOpNumThreads(address, threads));
    library.check(call.SetInterOpNumThreads(address, 1));
    library.check(call.SetDeterministicCompute(address, true));
    if (baseFolder !== undefined) {
      library.check(call.AddSessionConfigEntry(address, 'session.model_external_initializers_file_folder_path', baseFolder));
    }
    if (provider?.kind === 'cuda') appendCuda(library, address, provider);
    return options;
  } catch (error) {
    options.release();
    throw error;
  }
}

/** What the provider is told. TF32 rounds the products of matrices to 10 bits of mantissa, and is on by default. */
export function cudaOptions({ deviceId }: CudaProvider): Record<string, string> {
  return {
    device_id: String(deviceId),
    use_tf32: '0',
    // Doubling, the default, would take twice a large K/V buffer.
    arena_extend_strategy: 'kSameAsRequested',
  };
}

function appendCuda(library: OrtLibrary, options: bigint, provider: CudaProvider): void {
  const missing = CUDA_LIBRARIES.filter((file) => !existsSync(join(library.folder, file)));
  if (missing.length > 0) {
    throw new OrtError(`CUDA needs ${missing.join(' and ')} beside the runtime's library; they are not in ${library.folder}`);
  }
  const { call } = library;
  const cuda = library.own('CUDA options', call.ReleaseCUDAProviderOptions, (out) => call.CreateCUDAProviderOptions(out));
  try {
    const entries = cudaOptions(provider);
    library.check(call.UpdateCUDAProviderOptions(cuda.address, Object.keys(entries), Object.values(entries), Object.keys(entries).length));
    library.check(call.SessionOptionsAppendExecutionProvider_CUDA_V2(options, cuda.address));
  } finally {
    cuda.release();
  }
}
