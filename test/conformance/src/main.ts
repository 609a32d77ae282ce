import { loadConfig } from '@kiln/config';
import { openCodePorts } from './code-ports.js';
import { DATA_SETS } from './data-sets.js';
import { readOptions, USAGE } from './options.js';
import { reportText } from './report.js';
import { conforms, runConformance } from './run-conformance.js';

/** Exit code 1 = something is unexplained; 2 = it was called wrongly. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return void process.stdout.write(USAGE);
  const dataSets = DATA_SETS.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  const onProgress = (line: string): void => void process.stderr.write(`${line}\n`);
  const outcomes = await runConformance({ folder: options.folder, dataSets, onProgress, ...(await openCodePorts(loadConfig().sandbox)) });
  process.stdout.write(options.json ? `${JSON.stringify(outcomes, null, 2)}\n` : reportText(outcomes));
  if (!conforms(outcomes)) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`conformance: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
