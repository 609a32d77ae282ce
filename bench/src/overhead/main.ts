import { readOptions, USAGE } from './options.js';
import { reportText } from './report.js';
import { runOverhead } from './run-overhead.js';

/** Timings are printed, never asserted: the exit code says only whether every job came to the right result. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(USAGE);
  const began = performance.now();
  const onProgress = (line: string): void => {
    process.stderr.write(`[${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s] ${line}\n`);
  };
  const report = await runOverhead(options, onProgress);
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
}

// An exit, unlike a signal, lets the stack tell its database to stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
try {
  await main();
} catch (error) {
  process.stderr.write(`bench:overhead: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
