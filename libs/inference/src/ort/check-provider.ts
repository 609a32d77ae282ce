import { KilnError } from '@kiln/contracts';
import { copyGraph } from './copy-graph.js';
import { openOrtSession } from './open-ort-session.js';
import { type Provider } from './ort-session.js';

const HINTS: Readonly<Record<Provider['kind'], string>> = {
  cpu: 'the runtime itself does not work here; install the packages again',
  cuda: 'run the CUDA image with a GPU (docs/models.md, "CUDA"), or set worker.provider to cpu',
  webgpu: 'install a Vulkan loader and driver (docs/models.md, "WebGPU"), or set worker.provider to cpu',
};

/** That the runtime can compute on a provider here, by the smallest graph that there is. @throws KilnError `internal_error` that says why not */
export async function checkProvider(provider: Provider): Promise<void> {
  try {
    const session = await openOrtSession(copyGraph('float32'), { threads: 1, provider });
    try {
      const from = session.newTensor('float32', [2], Float32Array.of(1.5, -2));
      const to = session.newTensor('float32', [2]);
      await session.run({ from }, { to });
      if (to.data.join() !== from.data.join()) throw new Error(`a copy of ${from.data.join()} is ${to.data.join()}`);
    } finally {
      await session.close();
    }
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new KilnError('internal_error', `this worker cannot compute on ${provider.kind}: ${reason}`, {
      hint: HINTS[provider.kind],
      cause,
    });
  }
}
