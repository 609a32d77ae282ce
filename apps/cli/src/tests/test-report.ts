import type { TestCounts } from './run-tests.js';

const SIZES: ReadonlySet<string> = new Set(['unit', 'integration', 'e2e']);

/** Arguments of vitest: sizes become projects, anything else filters paths, or is an option of vitest. */
export function testArguments(what: readonly string[]): string[] {
  return what.map((word) => (SIZES.has(word) ? `--project=${word}` : word));
}

/**
 * Says which system programs tests were skipped for, and how to get them.
 * @param skips  what tests noted: one `{"program", "howToGet"}` a line, with repetitions
 */
export function missingPrograms(skips: string): string[] {
  const hints = new Map<string, string>();
  for (const line of skips.split('\n')) {
    if (line.trim() === '') continue;
    const { program, howToGet } = JSON.parse(line) as { program: string; howToGet: string };
    hints.set(program, howToGet);
  }
  return [...hints.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([program, hint]) => `skipped tests need ${program}, which is not here (${hint}); KILN_REQUIRE=all makes that a failure`);
}

/** The last line. */
export function summaryLine({ passed, failed, skipped }: TestCounts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
