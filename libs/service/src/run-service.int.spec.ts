import { forkModule } from '@kiln/testing';
import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

interface InForce {
  level: string;
  limit: number;
}

describe('runService', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kiln-service-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('takes over a changed limit and log level while it runs, and stops when it is asked to', async () => {
    const file = join(folder, 'kiln.yaml');
    await writeFile(file, 'log: { level: error }\n');
    const child = forkModule(new URL('report-settings.fixture.ts', import.meta.url), [], { KILN_CONFIG: file });
    await until(child, ({ level, limit }) => level === 'error' && limit === 32);
    await writeFile(file, 'log: { level: silent }\neval: { max_queued_jobs: 7 }\n');
    await until(child, ({ level, limit }) => level === 'silent' && limit === 7);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  }, 20_000);
});

/** Resolves when the child has reported what is wanted. */
function until(child: ChildProcess, wanted: (inForce: InForce) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    child.on('message', (message) => {
      if (wanted(message as InForce)) resolve();
    });
  });
}
