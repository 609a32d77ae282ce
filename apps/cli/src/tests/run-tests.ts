import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CliContext } from '../cli-context.js';
import { missingPrograms, summaryLine, testArguments } from './test-report.js';

/** What the reporter (tools/count-reporter.ts) writes. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Runs vitest and ends with which system programs were missing, and one line of counts.
 * @param what  sizes (`unit`, `integration`, `e2e`) and path filters; none = everything
 * @returns true when nothing failed
 */
export async function runTests(context: CliContext, what: readonly string[]): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kiln-test-run-'));
  try {
    const [countsFile, skipsFile] = [path.join(folder, 'counts.json'), path.join(folder, 'skips.jsonl')];
    const exitCode = await vitest(context, testArguments(what), { KILN_COUNTS_FILE: countsFile, KILN_SKIPS_FILE: skipsFile });
    const written = await readFile(countsFile, 'utf8').catch(() => null);
    const counts = written === null ? { passed: 0, failed: 0, skipped: 0 } : (JSON.parse(written) as TestCounts);
    context.print('', ...missingPrograms(await readFile(skipsFile, 'utf8').catch(() => '')));
    // A run that ended badly without a failed test (a crash, a process left behind, nothing found) must not look well.
    const failed = exitCode === 0 ? counts.failed : Math.max(counts.failed, 1);
    context.print(summaryLine({ ...counts, failed }));
    return failed === 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function vitest(context: CliContext, args: readonly string[], variables: Readonly<Record<string, string>>): Promise<number> {
  const { root, env } = context;
  const program = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporter = path.join(root, 'tools', 'count-reporter.ts');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, 'run', '--reporter=default', `--reporter=${reporter}`, ...args], {
      cwd: root,
      env: { ...env, ...variables },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    // The terminal sends Ctrl-C to vitest too, which ends its workers in order: stay until it is done.
    const ignore = (): void => undefined;
    process.on('SIGINT', ignore);
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('SIGINT', ignore);
      resolve(code ?? 1);
    });
  });
}
