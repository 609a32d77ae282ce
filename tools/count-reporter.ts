import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes how many tests passed, failed and were skipped to `$KILN_COUNTS_FILE`, for the last line of `kiln test`. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        counts[state === 'pending' ? 'skipped' : state] += 1;
      }
      // A module that could not be loaded has no tests, and a hook that failed belongs to none.
      counts.failed += module.errors().length + [...module.children.allSuites()].reduce((sum, suite) => sum + suite.errors().length, 0);
    }
    const file = process.env['KILN_COUNTS_FILE'];
    if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
  }
}
