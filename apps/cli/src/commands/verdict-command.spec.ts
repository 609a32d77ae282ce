import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import type { Job } from '@kiln/contracts';
import { describe, expect, it } from 'vitest';
import { JOB } from '../report/sample-report.fixture.js';
import { captureCli } from '../capture-cli.fixture.js';

/** `kiln eval verdict` of a job, at a server that knows that job and nothing else. */
async function verdictOf(job: Job, ...argv: string[]): Promise<{ code: number; err: string }> {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(job)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, err } = await captureCli('eval', 'verdict', job.id, ...argv, '--server', url);
  await new Promise((resolve) => server.close(resolve));
  return { code, err };
}

describe('kiln eval verdict', () => {
  it.each([[[]], [['--min-accuracy', '0.5']]])(
    'says of a job with one run that there is nothing to decide, and how to get two: %j',
    async (argv) => {
      const { code, err } = await verdictOf({ ...JOB, kind: 'eval', gate: null, runs: JOB.runs.slice(0, 1) }, ...argv);
      expect(code).toBe(2);
      expect(err).toContain('it has one run, and a verdict compares two');
      expect(err).toContain('kiln eval compare --suite arithmetic-200 --adapter ""');
    },
  );

  it('asks for a policy where the job has none', async () => {
    const { code, err } = await verdictOf({ ...JOB, gate: null });
    expect([code, err]).toEqual([2, expect.stringContaining('Name one with --gate')]);
  });
});
