import { parseArgs } from 'node:util';
import { DATA_SETS } from './data-sets.js';

export interface ConformanceOptions {
  /** The folder with the data sets. */
  folder: string;
  /** Names of data sets; empty = all. */
  only: string[];
  json: boolean;
  help: boolean;
}

export const USAGE = `npm run conformance -- <folder> [options]
  <folder>     the folder with the data sets, such as ../shared/data; those that it lacks are skipped
  --only NAME  one data set; may be repeated
  --json       the report as JSON
`;

/** @throws TypeError when an option is unknown, no folder is given, or no data set has the name */
export function readOptions(args: readonly string[]): ConformanceOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  });
  const [folder, ...others] = positionals;
  if (!values.help && (folder === undefined || others.length > 0)) throw new TypeError(`expected one folder\n\n${USAGE}`);
  const unknown = values.only.find((name) => !DATA_SETS.some((dataSet) => dataSet.name === name));
  if (unknown !== undefined) {
    throw new TypeError(`--only: no data set "${unknown}"; there are ${DATA_SETS.map(({ name }) => name).join(', ')}`);
  }
  return { ...values, folder: folder ?? '' };
}
