import { type ScorerPorts } from '@kiln/scoring';
import { AnswerScorer } from './answer-scorer.js';
import { checkDataSet, type DataSetReport } from './check-data-set.js';
import { type SuiteDataSet } from './data-set.js';

/** For scorers that only read the answer. */
export const NO_PORTS: ScorerPorts = {
  askJudge: () => Promise.reject(new Error('no judge here')),
  runConfined: () => Promise.reject(new Error('no sandbox here')),
  randomToken: () => 'token',
};

export function jsonl(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

export function checkRows(dataSet: SuiteDataSet, rows: readonly object[], ports: ScorerPorts = NO_PORTS): Promise<DataSetReport> {
  return checkDataSet(dataSet, jsonl(rows), new AnswerScorer(ports));
}
