import { describe, expect, it } from 'vitest';
import { checkRows } from './check-tiny-rows.fixture.js';
import { type SuiteDataSet } from './data-set.js';
import { DATA_SETS } from './data-sets.js';
import { TINY_ROWS } from './tiny-rows.fixture.js';

const suites = DATA_SETS.filter((dataSet): dataSet is SuiteDataSet => dataSet.kind === 'suite');

describe('the data sets', () => {
  it('have names of their own, and rows of ours each', () => {
    expect(new Set(DATA_SETS.map(({ name }) => name)).size).toBe(DATA_SETS.length);
    expect(Object.keys(TINY_ROWS).toSorted()).toEqual(suites.map(({ name }) => name).toSorted());
  });

  it.each(suites.filter(({ runsCode }) => !runsCode))('$name: rows become examples whose answers come out as expected', async (dataSet) => {
    const { rows, examples, gold, wrong, leftOut = 0, published = {} } = TINY_ROWS[dataSet.name]!;
    // The exceptions are about rows that are not here.
    const report = await checkRows({ ...dataSet, published, exceptions: {} }, rows);
    expect(report.unexplained).toEqual([]);
    expect(report).toMatchObject({ rows: rows.length, examples, answers: gold + wrong });
    expect([report.gold, report.wrong]).toEqual([
      { answers: gold, passes: gold },
      { answers: wrong, refused: wrong },
    ]);
    expect(Object.values(report.leftOut).reduce((total, count) => total + count, 0)).toBe(leftOut);
  });

  it.each(suites)('$name: names the field of a row in another format', async (dataSet) => {
    await expect(checkRows(dataSet, [{ nothing: 'of it' }])).rejects.toThrow(/is required/);
  });
});
