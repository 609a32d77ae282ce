import { cpus, loadavg } from 'node:os';
import { readOptions, USAGE } from './options.js';
import { reportText, type ScoringReport } from './report.js';
import { timeJob } from './time-job.js';
import { timeRescore } from './time-rescore.js';
import { timeScorers } from './time-scorers.js';

/** Timings are printed, never asserted: the exit code says only whether everything came to the right result. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(USAGE);
  const onProgress = (line: string): void => void process.stderr.write(`${line}\n`);
  const environment = { Node: process.versions.node, cores: cpus().length, 'load before': loadavg()[0]!.toFixed(1) };
  const scorers = timeScorers(options.outcomes, onProgress);
  await timeJob(Math.min(2_000, options.examples), Math.min(100, options.moved));
  const job = await timeJob(options.examples, options.moved);
  const rescore = options.traces === 0 ? null : await timeRescore(options.traces, options.runs, onProgress);
  const report: ScoringReport = { environment, scorers, job, rescore };
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
}

// An exit, unlike a signal, lets the stack tell its database to stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
try {
  await main();
} catch (error) {
  process.stderr.write(`bench:scoring: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
