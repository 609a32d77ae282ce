import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isExpectedOutput } from './check-doctest-output.js';

/** [want, got, flags, verdict]: random texts, and the verdicts of `doctest.OutputChecker().check_output` of Python 3.11. */
const verdicts: [string, string, string[], boolean][] = JSON.parse(
  readFileSync(new URL('./doctest-outputs.json', import.meta.url), 'utf8'),
);

const example = (want: string, exception: string | null = null, flags: string[] = []) => ({ source: 'f()\n', want, exception, flags });

describe('isExpectedOutput', () => {
  it('decides as Python does', () => {
    // The runner ends a line that the program left open before it asks; these verdicts are of the comparison alone.
    const comparable = verdicts.filter(([, got]) => got === '' || got.endsWith('\n'));
    expect(comparable.length).toBeGreaterThan(100);
    for (const [want, got, flags, verdict] of comparable)
      expect(isExpectedOutput(example(want, null, flags), { output: got, raised: null }), JSON.stringify([want, got, flags])).toBe(verdict);
    // Exceptions are compared in the same way and get no line end.
    for (const [want, got, flags, verdict] of verdicts)
      expect(isExpectedOutput(example('', want, flags), { output: '', raised: got }), JSON.stringify([want, got, flags])).toBe(verdict);
  });

  it('ends an open line', () => {
    expect(isExpectedOutput(example('a\n'), { output: 'a', raised: null })).toBe(true);
  });

  it('compares exceptions by their last line, without the detail where the flag says so', () => {
    const want = example('', 'ValueError: no\n');
    expect(isExpectedOutput(want, { output: 'printed before', raised: 'ValueError: no\n' })).toBe(true);
    expect(isExpectedOutput(want, { output: '', raised: 'ValueError: yes\n' })).toBe(false);
    expect(isExpectedOutput(want, { output: 'ValueError: no\n', raised: null })).toBe(false);
    expect(isExpectedOutput(example('a\n'), { output: 'a\n', raised: 'ValueError: no\n' })).toBe(false);
    const loose = example('', 'ValueError: no\n', ['IGNORE_EXCEPTION_DETAIL']);
    expect(isExpectedOutput(loose, { output: '', raised: 'package.module.ValueError: yes\n' })).toBe(true);
    expect(isExpectedOutput(loose, { output: '', raised: 'KeyError: no\n' })).toBe(false);
  });

  it('takes linear time for hostile output', () => {
    const started = performance.now();
    const got = 'ab'.repeat(30_000);
    isExpectedOutput(example(`${'a...'.repeat(20_000)}c\n`, null, ['ELLIPSIS']), { output: got, raised: null });
    isExpectedOutput(example(' \n', null, ['NORMALIZE_WHITESPACE']), { output: ' \t'.repeat(30_000), raised: null });
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
