/**
 * The program of a benchmark: `main` gets a line of progress onto standard error, with the seconds since the start. Timings are
 * printed, never asserted: the exit code says only whether everything came to the right result.
 */
export async function runBenchmark(name: string, main: (onProgress: (line: string) => void) => Promise<void>): Promise<void> {
  // An exit, unlike a signal, lets the stack tell its database to stop.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const began = performance.now();
  const onProgress = (line: string): void => {
    process.stderr.write(`[${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s] ${line}\n`);
  };
  try {
    await main(onProgress);
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
