import { readFile, rename, rm, writeFile } from 'node:fs/promises';

/** Writes a file so that readers see the old or the new content, never a part. @param mode  such as 0o600 */
export async function replaceFile(file: string, content: string, mode: number): Promise<void> {
  const beside = `${file}.${process.pid}.partial`;
  try {
    await writeFile(beside, content, { mode });
    await rename(beside, file);
  } finally {
    await rm(beside, { force: true });
  }
}

/** The JSON object in a file, or null when the file is absent, empty or damaged. */
export async function readJsonObject(file: string): Promise<Record<string, unknown> | null> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
