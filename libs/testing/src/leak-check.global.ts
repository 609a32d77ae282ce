import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** Every process that descends from the test run inherits this variable, so that a leaked one can be found by it. */
const MARK = 'KILN_TEST_RUN';
const PATIENCE_MS = 10_000;

/**
 * Vitest global setup: after the run no process that the tests started may be left (checked where /proc exists).
 * Workers and guards need a moment to go, hence the patience.
 */
export default function watchForLeaks(): () => Promise<void> {
  const run = (process.env[MARK] ??= randomUUID());
  return async () => {
    const deadline = Date.now() + PATIENCE_MS;
    let left = markedProcesses(run);
    while (left.length > 0 && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      left = markedProcesses(run);
    }
    if (left.length === 0) return;
    // Vitest prints what a teardown throws, but ends with 0 all the same.
    process.exitCode = 1;
    throw new Error(`the tests left processes behind:\n${left.join('\n')}`);
  };
}

function markedProcesses(run: string): string[] {
  const found: string[] = [];
  for (const pid of processIds()) {
    if (Number(pid) === process.pid) continue;
    try {
      if (!readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${MARK}=${run}`)) continue;
      found.push(`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').slice(0, 200)}`);
    } catch {
      // Gone, or another user's: not ours to judge.
    }
  }
  return found;
}

function processIds(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
