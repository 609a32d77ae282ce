import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ApiClient } from '../client/api-client.js';
import { openSuiteFile } from '../client/read-suite-file.js';

/**
 * Registers every suite file of a folder; one that was registered before gets a new version only where it differs.
 * @returns names, in the order of the files
 */
export async function registerExamples(client: ApiClient, folder: string): Promise<string[]> {
  const files = (await readdir(folder)).filter((name) => /\.(json|yaml|yml|jsonl)$/.test(name)).toSorted();
  const names: string[] = [];
  for (const name of files) {
    const stream = await openSuiteFile(path.join(folder, name));
    const { suite } = await client.call('registerSuite', { query: { force: true }, stream });
    names.push(suite.name);
  }
  return names;
}
