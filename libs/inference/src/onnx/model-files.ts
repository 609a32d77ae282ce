import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UnsupportedModelError } from './unsupported-model-error.js';

export type Json = Record<string, unknown>;

/** A JSON object of a model's directory. @throws UnsupportedModelError when it is missing or not one. */
export async function requireJson(path: string, file: string): Promise<Json> {
  const json = await readJson(path, file);
  if (json === null) throw new UnsupportedModelError(`${file} is missing`);
  return json;
}

/** A JSON object of a model's directory; null when the file is missing. @throws UnsupportedModelError when it is not one. */
export async function readJson(path: string, file: string): Promise<Json | null> {
  const text = await readText(join(path, file));
  if (text === null) return null;
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Json;
  } catch (cause) {
    throw new UnsupportedModelError(`${file} is not JSON: ${(cause as Error).message}`, { cause });
  }
  throw new UnsupportedModelError(`${file} is not a JSON object`);
}

/** A text file; null when it is missing. @throws UnsupportedModelError when it cannot be read. */
export async function readText(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new UnsupportedModelError(`${path} cannot be read: ${error.code}`, { cause: error });
  });
}
