import { cpus, loadavg } from 'node:os';
import { runBenchmark } from '../run-benchmark.js';
import { readOptions, USAGE } from './options.js';
import { reportText, type ScoringReport } from './report.js';
import { timeJob } from './time-job.js';
import { timeRescore } from './time-rescore.js';
import { timeScorers } from './time-scorers.js';

await runBenchmark('bench:scoring', async (onProgress) => {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(USAGE);
  const environment = { Node: process.versions.node, cores: cpus().length, 'load before': loadavg()[0]!.toFixed(1) };
  const scorers = timeScorers(options.outcomes, onProgress);
  await timeJob(Math.min(2_000, options.examples), Math.min(100, options.moved));
  const job = await timeJob(options.examples, options.moved);
  const rescore = options.traces === 0 ? null : await timeRescore(options.traces, options.runs, onProgress);
  const report: ScoringReport = { environment, scorers, job, rescore };
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
});
