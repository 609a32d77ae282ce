import { parseArgs } from 'node:util';

export interface EngineOptions {
  /** Repetitions of each measurement; medians are reported. */
  rounds: number;
  /** Tiny sizes that say nothing, for trying the benchmark itself. */
  quick: boolean;
  /** onnxruntime-genai and PyTorch, too. */
  python: boolean;
  /** The platform against the bare engine, too. */
  platform: boolean;
  json: boolean;
}

export const USAGE = `npm run bench:engine -- [options]
  --rounds N     repetitions of each measurement (default 3); medians are reported
  --quick        tiny sizes that say nothing, in half a minute: does the benchmark work?
  --no-python    leaves onnxruntime-genai and PyTorch out, which are installed outside of the repository the first time
  --no-platform  leaves the comparison of a whole job with the bare engine out
  --json         the report as JSON, with every single time
`;

/** @throws TypeError when an option is unknown or no number */
export function readOptions(args: readonly string[]): EngineOptions & { help: boolean } {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      rounds: { type: 'string', default: '' },
      quick: { type: 'boolean', default: false },
      python: { type: 'boolean', default: true },
      platform: { type: 'boolean', default: true },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  });
  const rounds = Number(values.rounds || (values.quick ? 1 : 3));
  if (!Number.isSafeInteger(rounds) || rounds < 1)
    throw new TypeError(`--rounds: expected a whole number, 1 or more, got ${values.rounds}`);
  return { rounds, quick: values.quick, python: values.python, platform: values.platform, json: values.json, help: values.help };
}
