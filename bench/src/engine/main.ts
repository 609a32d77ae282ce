import { runBenchmark } from '../run-benchmark.js';
import { readOptions, USAGE } from './options.js';
import { reportText } from './report.js';
import { runEngine } from './run-engine.js';

await runBenchmark('bench:engine', async (onProgress) => {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(USAGE);
  const report = await runEngine(options, onProgress);
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
});
