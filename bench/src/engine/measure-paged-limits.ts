import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment, type MachineLimits } from '@kiln/inference/testing';

/**
 * What one thread can do at most. Memory is read faster through huge pages, which the engine asks for and others do not, so that
 * both are a limit: of programs as they come, and of the machine.
 */
export interface PagedLimits {
  ordinary: MachineLimits;
  huge: MachineLimits;
}

/** Measured in processes of their own, one with ordinary pages and one with the engine's environment. */
export async function measurePagedLimits(repeats: number): Promise<PagedLimits> {
  const { GLIBC_TUNABLES: _, ...plain } = process.env;
  return { ordinary: await measureIn(plain, repeats), huge: await measureIn({ ...childEnvironment('onnx', plain) }, repeats) };
}

/** Limits of two measurements: whatever was reached can be reached. */
export function higherLimits(a: PagedLimits, b: PagedLimits): PagedLimits {
  return { ordinary: higher(a.ordinary, b.ordinary), huge: higher(a.huge, b.huge) };
}

function higher(a: MachineLimits, b: MachineLimits): MachineLimits {
  return { bytesPerS: Math.max(a.bytesPerS, b.bytesPerS), flopsPerS: Math.max(a.flopsPerS, b.flopsPerS) };
}

async function measureIn(env: NodeJS.ProcessEnv, repeats: number): Promise<MachineLimits> {
  const program = path.join(import.meta.dirname, 'limits-program.js');
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(repeats)], { env });
  return JSON.parse(stdout) as MachineLimits;
}
