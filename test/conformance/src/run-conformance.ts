import { type ScorerPorts } from '@kiln/scoring';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AnswerScorer } from './answer-scorer.js';
import { checkDataSet, type DataSetReport } from './check-data-set.js';
import { type DataSet } from './data-set.js';

/** What became of a data set. */
export type Outcome =
  | ({ readonly name: string; readonly status: 'checked' } & DataSetReport)
  /** Nothing was checked, and why: the file is absent, no code can be run here, nothing is asked in it. */
  | { readonly name: string; readonly status: 'skipped' | 'no suite'; readonly why: string }
  /** The suite was refused, or a row could not be read. */
  | { readonly name: string; readonly status: 'refused'; readonly why: string };

export interface ConformanceRun {
  readonly folder: string;
  readonly dataSets: readonly DataSet[];
  readonly ports: ScorerPorts;
  /** Why no code can be run; null when it can. */
  readonly withoutCode: string | null;
  readonly onProgress: (line: string) => void;
}

/** A line of progress for each so many answers. */
const PROGRESS_STEP = 100;

/** Checks one data set after the other; a refused one does not stop the others. */
export async function runConformance({ folder, dataSets, ports, withoutCode, onProgress }: ConformanceRun): Promise<Outcome[]> {
  const scorer = new AnswerScorer(ports);
  const outcomes: Outcome[] = [];
  for (const dataSet of dataSets) {
    const { name, file } = dataSet;
    const text = await findText(path.join(folder, file));
    if (text === null) {
      outcomes.push({ name, status: 'skipped', why: `${file} is absent` });
    } else if (dataSet.kind === 'other') {
      outcomes.push({ name, status: 'no suite', why: dataSet.why });
    } else if (dataSet.runsCode && withoutCode !== null) {
      outcomes.push({ name, status: 'skipped', why: withoutCode });
    } else {
      onProgress(name);
      const report = (done: number, of: number): void => {
        if (dataSet.runsCode && done % PROGRESS_STEP === 0) onProgress(`${name}: ${done} of ${of} answers`);
      };
      try {
        outcomes.push({ name, status: 'checked', ...(await checkDataSet(dataSet, text, scorer, report)) });
      } catch (error) {
        outcomes.push({ name, status: 'refused', why: (error as Error).message });
      }
    }
  }
  return outcomes;
}

async function findText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Whether there is nothing that nobody has explained. What is absent is no flaw. */
export function conforms(outcomes: readonly Outcome[]): boolean {
  return outcomes.every((outcome) => outcome.status !== 'refused' && (outcome.status !== 'checked' || outcome.unexplained.length === 0));
}
