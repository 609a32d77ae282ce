import { parseArgs } from 'node:util';

export interface ScoringOptions {
  /** Outcomes scored by each scorer. */
  outcomes: number;
  /** Examples of the comparison. */
  examples: number;
  /** Examples whose outcome differs between its two runs. */
  moved: number;
  /** Traces that are rescored; 0 leaves that out. */
  traces: number;
  /** Repetitions of the rescore. */
  runs: number;
  json: boolean;
}

export const USAGE = `npm run bench:scoring -- [options]
  --outcomes N  answers scored by each scorer (default 100000)
  --examples N  examples of the comparison (default 100000)
  --moved N     examples that differ between its runs (default 1000)
  --traces N    stored traces that get a new scorer (default 100000; 0 = leave it out)
  --runs N      repetitions of the rescore (default 3)
  --json        the report as JSON
`;

/** @throws TypeError when an option is unknown or no number */
export function readOptions(args: readonly string[]): ScoringOptions & { help: boolean } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      outcomes: { type: 'string', default: '100000' },
      examples: { type: 'string', default: '100000' },
      moved: { type: 'string', default: '1000' },
      traces: { type: 'string', default: '100000' },
      runs: { type: 'string', default: '3' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  });
  return {
    outcomes: count('--outcomes', values.outcomes, 1),
    examples: count('--examples', values.examples, 1),
    moved: count('--moved', values.moved, 0),
    traces: count('--traces', values.traces, 0),
    runs: count('--runs', values.runs, 1),
    json: values.json,
    help: values.help,
  };
}

function count(option: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least)
    throw new TypeError(`${option}: expected a whole number, ${least} or more, got ${text}`);
  return value;
}
