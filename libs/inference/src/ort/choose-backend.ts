import { OrtError, type OrtSession, type OrtSessionOptions } from './ort-session.js';

export type AskedBackend = Pick<OrtSessionOptions, 'backend' | 'provider'>;

export interface BackendChoice {
  readonly backend: OrtSession['backend'];
  /** Why this one. */
  readonly reason: string;
}

/**
 * Which API runs a graph: that of C where it loads and reaches the provider, else that of JavaScript.
 * @param missing why the C API does not load; null: it does.
 * @throws OrtError when neither can do what is asked for.
 */
export function chooseBackend(asked: AskedBackend, missing: string | null): BackendChoice {
  const obstacle = whyNotC(asked) ?? missing;
  if (obstacle === null) return { backend: 'ort-c', reason: 'the C API loads' };
  if (asked.backend === 'ort-c') throw new OrtError(obstacle);
  if (asked.provider?.kind === 'cuda') {
    throw new OrtError(`CUDA needs the C API: through JavaScript, K/V would leave the device at each step (${obstacle})`);
  }
  return { backend: 'ort-js', reason: obstacle };
}

/** Why the C API is of no use, whether it loads or not; null: it is of use. */
export function whyNotC({ backend, provider }: AskedBackend): string | null {
  if (provider?.kind === 'webgpu') return 'WebGPU is reached through the JavaScript API only';
  return backend === 'ort-js' ? 'it was asked for' : null;
}
