/**
 * The job's seed: the request's own, else its generation's, else the suite's, else eight random bytes (contracts.md §1.3).
 *
 * @param entropy called only when nobody set a seed
 */
export function effectiveSeed(
  written: { seed: bigint | undefined; requestGeneration: string | null | undefined; suiteGeneration: string | null },
  entropy: () => bigint,
): bigint {
  if (written.seed !== undefined) return written.seed;
  const text = written.requestGeneration ?? written.suiteGeneration;
  return text === null ? entropy() : BigInt(text);
}
