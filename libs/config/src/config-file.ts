import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { KilnError } from '@kiln/contracts';
import { parseDocument } from 'yaml';
import { type Environment } from './environment-settings.js';

const DEFAULT_NAMES = ['kiln.yaml', 'kiln.yml', 'kiln.json'];

/**
 * The file that settings come from: the one asked for, else `KILN_CONFIG`, else the first of kiln.yaml, kiln.yml and
 * kiln.json in `directory`; null when there is none.
 */
export function locateConfigFile(asked: string | undefined, env: Environment, directory: string): string | null {
  const named = asked ?? (env['KILN_CONFIG'] || undefined);
  if (named !== undefined) return resolve(directory, named);
  return DEFAULT_NAMES.map((name) => resolve(directory, name)).find((path) => existsSync(path)) ?? null;
}

/**
 * Reads a settings file: JSON where the name ends in `.json`, else YAML 1.2. An empty file sets nothing.
 * @throws {KilnError} naming the file, and the line where the syntax is wrong.
 */
export function readConfigFile(path: string): Record<string, unknown> {
  const value = path.endsWith('.json') ? parseJson(path, readText(path)) : parseYaml(path, readText(path));
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new KilnError(
      'eval_invalid_request',
      `${path}: expected settings such as "port: 8420", got ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}`,
    );
  }
  return value as Record<string, unknown>;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'does not exist' : String(error);
    throw new KilnError('eval_invalid_request', `${path}: ${reason}`, {
      hint: 'Correct KILN_CONFIG, or leave it out to use defaults.',
      cause: error,
    });
  }
}

function parseJson(path: string, text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new KilnError('eval_invalid_request', `${path}: not valid JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function parseYaml(path: string, text: string): unknown {
  const document = parseDocument(text, { prettyErrors: true });
  const [problem] = document.errors;
  if (problem) throw new KilnError('eval_invalid_request', `${path}: not valid YAML: ${problem.message.trim()}`, { cause: problem });
  return document.toJS();
}
