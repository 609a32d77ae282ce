import { type Provider } from './ort-session.js';

/** Memory as the runtime names it. */
export interface DeviceMemory {
  readonly name: 'Cuda' | 'Cpu';
  readonly id: number;
}

/** Whether kernels, and with them the bits of results, depend on the shapes of what they are given. */
export function runsOnDevice(provider: Provider = { kind: 'cpu' }): boolean {
  return provider.kind !== 'cpu' || provider.asDevice === true;
}

/** The memory that a provider has besides the CPU's; null when it has none. */
export function ownMemory(provider: Provider = { kind: 'cpu' }): DeviceMemory | null {
  if (provider.kind === 'cuda') return { name: 'Cuda', id: provider.deviceId };
  return provider.kind === 'cpu' && provider.asDevice === true ? { name: 'Cpu', id: 0 } : null;
}
