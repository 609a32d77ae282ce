import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { cpuSecondsOfTrees } from './cpu-time.js';

/** A shell whose child computes for a while, writes a line and, `ended`, is waited for; the shell itself does next to nothing. */
async function shellWithWorker(ended: boolean): Promise<{ pid: number; stop: () => Promise<void> }> {
  const work = 'const until = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < until); console.log("worked");';
  const rest = ended ? '' : 'setInterval(() => {}, 1e6);';
  const child = spawn('/bin/sh', ['-c', `"$0" -e "$1"; echo done; read line`, process.execPath, work + rest], { detached: true });
  for (let said = ''; !said.includes(ended ? 'done' : 'worked');) said += String((await once(child.stdout, 'data'))[0]);
  return {
    pid: child.pid!,
    stop: async () => {
      process.kill(-child.pid!, 'SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe.skipIf(process.platform !== 'linux')('cpuSecondsOfTrees', () => {
  it.each([
    ['runs', false],
    ['has ended', true],
  ])('counts the work of a grandchild that %s', async (_, ended) => {
    const { pid, stop } = await shellWithWorker(ended);
    try {
      expect(await cpuSecondsOfTrees([pid])).toBeGreaterThanOrEqual(0.28);
    } finally {
      await stop();
    }
  });

  it('refuses to measure a process that is gone', async () => {
    const child = spawn(process.execPath, ['--version']);
    await once(child, 'exit');
    await expect(cpuSecondsOfTrees([child.pid!])).rejects.toThrow('ENOENT');
  });
});
