import { type Provider } from '../ort/ort-session.js';
import { type DecoderLayout } from './decoder-layout.js';
import { UnsupportedModelError } from './unsupported-model-error.js';

/**
 * That a graph can be computed where its keys and values are. The runtime puts operators that a provider lacks on the CPU, without a word; for
 * attention this would move all keys and values there and back with each step.
 * @throws UnsupportedModelError
 */
export function checkProviderFit({ attention, cacheType }: Pick<DecoderLayout, 'attention' | 'cacheType'>, provider: Provider): void {
  if (provider.kind !== 'cuda' || attention !== 'gqa' || cacheType === 'float16') return;
  throw new UnsupportedModelError(
    `on CUDA, GroupQueryAttention computes in float16 only, and this graph has it in ${cacheType}; export it in float16, or with attention in parts`,
  );
}
