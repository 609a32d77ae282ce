import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** KILN_SHARED, or `shared` beside the repository. */
const shared = process.env['KILN_SHARED'] ?? fileURLToPath(new URL('../../../../../shared', import.meta.url));

/**
 * A suite of another project, which is read where it lies and never copied. Null where it is absent: its tests are skipped,
 * and this says so.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- each file has its own shape, which its spec knows
export function findThirdPartyVectors(name: string): any {
  const text = findText(`vectors/${name}`);
  return text === null ? null : JSON.parse(text);
}

/** The rows of a public data set, read in place like the vectors. */
// oxlint-disable-next-line typescript/no-explicit-any -- each file has its own shape, which its spec knows
export function findThirdPartyRows(name: string): any[] | null {
  const lines = findText(`data/${name}`)?.split('\n') ?? null;
  return lines === null ? null : lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

function findText(name: string): string | null {
  const file = `${shared}/${name}`;
  if (existsSync(file)) return readFileSync(file, 'utf8');
  process.stderr.write(`skipped: ${file} is absent\n`);
  return null;
}
