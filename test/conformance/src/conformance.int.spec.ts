import { Config, parseWith } from '@kiln/contracts';
import { requireProgram } from '@kiln/testing';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openCodePorts } from './code-ports.js';
import { checkRows } from './check-tiny-rows.fixture.js';
import { type SuiteDataSet } from './data-set.js';
import { DATA_SETS } from './data-sets.js';
import { conforms, runConformance } from './run-conformance.js';
import { TINY_ROWS } from './tiny-rows.fixture.js';

/** Data of others is read where it lies, never copied: KILN_SHARED, or `shared` beside the repository. */
const shared = process.env['KILN_SHARED'] ?? fileURLToPath(new URL('../../../../shared', import.meta.url));
const folder = `${shared}/data`;
if (!existsSync(folder)) process.stderr.write(`skipped: ${folder} is absent\n`);

const { sandbox } = parseWith(Config, {}, 'configuration');
const runsCode = DATA_SETS.filter((dataSet): dataSet is SuiteDataSet => dataSet.kind === 'suite' && dataSet.runsCode);
const hasSandbox = requireProgram('bwrap') !== null && requireProgram('python3') !== null;

describe.skipIf(!hasSandbox)('data sets that run code', () => {
  it.each(runsCode)('$name: rows of ours come out as expected', async (dataSet) => {
    const { rows, examples, gold, wrong } = TINY_ROWS[dataSet.name]!;
    const { ports, withoutCode } = await openCodePorts(sandbox);
    expect(withoutCode).toBeNull();
    const report = await checkRows({ ...dataSet, exceptions: {} }, rows, ports);
    expect(report.unexplained).toEqual([]);
    expect(report).toMatchObject({ examples, gold: { passes: gold }, wrong: { refused: wrong } });
  });
});

describe.skipIf(!existsSync(folder))('public data sets', () => {
  it('leave nothing unexplained, and are imported whole', { timeout: 180_000 }, async () => {
    const outcomes = await runConformance({ folder, dataSets: DATA_SETS, onProgress: () => {}, ...(await openCodePorts(sandbox)) });
    const unexplained = outcomes.flatMap((outcome) => {
      if (outcome.status === 'checked') return outcome.unexplained.map(({ at, message }) => `${outcome.name}: ${at}: ${message}`);
      return outcome.status === 'refused' ? [`${outcome.name}: ${outcome.why}`] : [];
    });
    expect(unexplained).toEqual([]);
    expect(conforms(outcomes)).toBe(true);
    for (const outcome of outcomes) {
      if (outcome.status !== 'checked') continue;
      // A reader that drops rows in silence would leave nothing to explain.
      const leftOut = Object.values(outcome.leftOut).reduce((total, count) => total + count, 0);
      const unread = outcome.explained.filter(({ at }) => at.startsWith('line ')).length;
      expect(outcome.examples + leftOut + unread, outcome.name).toBeGreaterThanOrEqual(outcome.rows);
    }
  });
});
