import { expect, it } from 'vitest';
import { useFleet } from './fleet.fixture.js';

const fleet = useFleet({ backend: 'postgres', workers: 0, schedulers: 0 });

it('does not start a worker whose provider cannot be reached, and says why and what to do', async () => {
  await expect(fleet.addWorker({ KILN_WORKER_PROVIDER: 'cuda' })).rejects.toThrow('ended with 1 before it was ready');
  expect(fleet.worker.log).toMatch(/this worker cannot compute on cuda: .*set worker\.provider to cpu/);
});
