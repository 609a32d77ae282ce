import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../../bench/dist/overhead/main.js', import.meta.url));

it('bench:overhead measures every part, here with sizes that say nothing', async () => {
  const args = [MAIN, '--runs', '1', '--sizes', '40', '--small', '20', '--large', '60', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toMatchObject({
    environment: { fsync: 'on', synchronous_commit: 'on', queue: 'Postgres' },
    timings: [{ samples: 40, kilnMs: [expect.any(Number)], insertMs: [expect.any(Number)] }],
    admission: { samples: 60, ms: [expect.any(Number)] },
    memory: { small: { samples: 20 }, large: { samples: 60, peaks: { worker: { own: expect.any(Number) } } } },
  });
});
