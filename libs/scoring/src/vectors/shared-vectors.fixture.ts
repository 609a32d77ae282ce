import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** KILN_SHARED, or `shared` beside the repository. */
const shared = process.env['KILN_SHARED'] ?? fileURLToPath(new URL('../../../../../shared', import.meta.url));

/**
 * A suite of another project, which is read where it lies and never copied. Null where it is absent: its tests are skipped,
 * and this says so.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- each file has its own shape, which its spec knows
export function findSharedVectors(name: string): any {
  const file = `${shared}/vectors/${name}`;
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  process.stderr.write(`skipped: ${file} is absent\n`);
  return null;
}
