import { setTimeout as sleep } from 'node:timers/promises';
import { KilnError } from '@kiln/contracts';
import type { ApiClient } from '../client/api-client.js';

/**
 * Waits until a worker has published a model and its adapters.
 * @throws KilnError `model_not_found` when that does not happen in time
 */
export async function waitForModel(
  client: ApiClient,
  model: string,
  adapters: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    const published = await client.call('listAdapters', { query: { model, limit: 1000 } });
    const names = new Set(published.adapters.map(({ adapter }) => adapter));
    if (adapters.every((adapter) => names.has(adapter))) return;
    if (Date.now() > deadline) break;
    await sleep(100);
  }
  throw new KilnError('model_not_found', `no worker serves the model ${model} with its adapters`, {
    hint: 'the demo needs the models folder of this repository; see .kiln/logs/worker.log',
  });
}
