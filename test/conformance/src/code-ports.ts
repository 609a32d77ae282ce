import { createSandbox, type SandboxOptions } from '@kiln/sandbox';
import { type ScorerPorts } from '@kiln/scoring';
import { randomBytes } from 'node:crypto';

/** What scorers reach the world through here: a sandbox for code, and no judge. */
export async function openCodePorts(options: SandboxOptions): Promise<{ ports: ScorerPorts; withoutCode: string | null }> {
  const sandbox = createSandbox(options);
  const availability = await sandbox.available();
  const ports: ScorerPorts = {
    runConfined: sandbox.runConfined,
    askJudge: () => Promise.reject(new Error('no data set with answers has a judge')),
    randomToken: () => randomBytes(16).toString('hex'),
  };
  const withoutCode = !availability.ok ? availability.message : availability.python === null ? availability.warning : null;
  return { ports, withoutCode };
}
