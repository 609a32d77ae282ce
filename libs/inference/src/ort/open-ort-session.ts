import { OrtCSession } from './ort-c-session.js';
import { OrtJsSession } from './ort-js-session.js';
import { loadOrtLibrary } from './ort-library.js';
import { OrtError, type OrtSession, type OrtSessionOptions } from './ort-session.js';

/**
 * Loads a graph, from a path or from bytes, which are not needed afterwards. Through the C API where that loads, else through
 * the JavaScript API; `backendReason` says why.
 * @throws OrtError when the runtime refuses the graph, or lacks what `options` ask for.
 */
export async function openOrtSession(graph: string | Uint8Array, options: OrtSessionOptions, load = loadOrtLibrary): Promise<OrtSession> {
  if (options.provider?.kind === 'webgpu') {
    if (options.backend === 'ort-c') throw new OrtError('WebGPU is reached through the JavaScript API only');
    return OrtJsSession.open(graph, options, 'WebGPU is reached through the JavaScript API only');
  }
  if (options.backend === 'ort-js') return OrtJsSession.open(graph, options, 'it was asked for');
  const loaded = await load();
  if (loaded.library !== null) return OrtCSession.open(loaded.library, graph, options);
  if (options.backend === 'ort-c') throw new OrtError(loaded.reason);
  return OrtJsSession.open(graph, options, loaded.reason);
}
