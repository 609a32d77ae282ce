import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { childEnvironment } from '../../engine/child-environment.js';
import { memoryGrowth } from './memory-growth.js';
import { type SoakSample, soakEngine } from './soak-engine.js';

/*
 * The program of `npm run soak:engine`: mixed jobs, adapters and cancels for a while, and what memory they take. Ends with 1 when memory
 * grew or something native was not freed.
 */

const { env } = process;
const environment = childEnvironment('onnx', env);
if (environment['GLIBC_TUNABLES'] !== env['GLIBC_TUNABLES']) {
  // The allocator is that of an engine's process, which is what may grow.
  const { status } = spawnSync(process.execPath, [...process.execArgv, ...process.argv.slice(1)], { env: environment, stdio: 'inherit' });
  process.exit(status ?? 1);
}

const MIB = 2 ** 20;
/** What the last third may be above the middle one. */
const ALLOWED_GROWTH = 0.05;
const LINES = 60;

const { values } = parseArgs({ options: { models: { type: 'string', default: 'models' }, seconds: { type: 'string', default: '1200' } } });
const durationMs = Number(values.seconds) * 1000;
if (!(durationMs > 0)) throw new TypeError(`--seconds ${values.seconds} is no duration`);

const mib = (bytes: number) => (bytes / MIB).toFixed(0).padStart(5);

function print({ elapsedMs, jobs, samples, cancelled, rssBytes, heapBytes, bufferBytes, nativeObjects }: SoakSample): void {
  process.stdout.write(
    `${(elapsedMs / 1000).toFixed(0).padStart(5)} s ${String(jobs).padStart(6)} jobs ${String(samples).padStart(8)} samples ` +
      `${String(cancelled).padStart(5)} cancelled  resident ${mib(rssBytes)} MiB  heap ${mib(heapBytes)}  tensors ${mib(bufferBytes)}  ` +
      `native objects ${nativeObjects}\n`,
  );
}

const { samples, leaked } = await soakEngine({
  modelDir: values.models,
  durationMs,
  intervalMs: durationMs / LINES,
  onSample: print,
});
const growth = memoryGrowth(samples.map(({ rssBytes }) => rssBytes));
const leaks = Object.entries(leaked).map(([kind, count]) => `${count} ${kind}`);
process.stdout.write(`resident memory ${growth < 0 ? 'fell' : 'grew'} by ${(Math.abs(growth) * 100).toFixed(1)} %; `);
process.stdout.write(`${leaks.length === 0 ? 'no native object is left' : `left: ${leaks.join(', ')}`}\n`);
process.exitCode = growth <= ALLOWED_GROWTH && leaks.length === 0 ? 0 : 1;
