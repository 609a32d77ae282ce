import { findBackend } from './find-backend.js';
import { OrtCSession } from './ort-c-session.js';
import { OrtJsSession } from './ort-js-session.js';
import { loadOrtLibrary } from './ort-library.js';
import { type OrtSession, type OrtSessionOptions } from './ort-session.js';

/**
 * Loads a graph, from a path or from bytes, which are not needed afterwards. {@link findBackend} says through which API;
 * `backendReason` says why.
 * @throws OrtError when the runtime refuses the graph, or lacks what `options` ask for.
 */
export async function openOrtSession(graph: string | Uint8Array, options: OrtSessionOptions, load = loadOrtLibrary): Promise<OrtSession> {
  const { backend, reason, library } = await findBackend(options, load);
  return backend === 'ort-c' ? OrtCSession.open(library!, graph, options) : OrtJsSession.open(graph, options, reason);
}
