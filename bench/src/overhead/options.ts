import { parseArgs } from 'node:util';

export interface OverheadOptions {
  /** Repetitions of each timing; the median is reported. */
  runs: number;
  /** Sizes that are timed, in samples. */
  sizes: number[];
  /** Size of the smaller of the two jobs whose memory is compared. */
  small: number;
  /** Size of the job whose admission is timed, and of the larger one of the two whose memory is compared. */
  large: number;
  /** UTF-8 size of a prompt, which is also its answer, in bytes. */
  promptBytes: number;
  /** Messages over a Redis of its own instead of the alone mode's Postgres. */
  redis: boolean;
  memory: boolean;
  json: boolean;
  /** Keeps the data folders (logs, database) for a look afterwards. */
  keep: boolean;
}

export const USAGE = `npm run bench:overhead -- [options]
  --runs N          repetitions of each timing (default 5); the median is reported
  --sizes A,B       sizes that are timed, in samples (default 5000,50000)
  --small N         smaller size for memory (default 5000)
  --large N         size for admission and memory (default 100000)
  --prompt-bytes N  size of a prompt (default 256)
  --redis           messages over Redis (redis-server on the PATH) instead of Postgres
  --no-memory       leaves the memory comparison out
  --keep            keeps the data folders
  --json            the report as JSON
`;

/** @throws TypeError when an option is unknown or no number */
export function readOptions(args: readonly string[]): OverheadOptions & { help: boolean } {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      runs: { type: 'string', default: '5' },
      sizes: { type: 'string', default: '5000,50000' },
      small: { type: 'string', default: '5000' },
      large: { type: 'string', default: '100000' },
      'prompt-bytes': { type: 'string', default: '256' },
      redis: { type: 'boolean', default: false },
      memory: { type: 'boolean', default: true },
      keep: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  });
  return {
    runs: count('--runs', values.runs),
    sizes: values.sizes
      .split(',')
      .filter(Boolean)
      .map((size) => count('--sizes', size)),
    small: count('--small', values.small),
    large: count('--large', values.large),
    promptBytes: count('--prompt-bytes', values['prompt-bytes']),
    redis: values.redis,
    memory: values.memory,
    keep: values.keep,
    json: values.json,
    help: values.help,
  };
}

function count(option: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`${option}: expected a whole number, 1 or more, got ${text}`);
  return value;
}
