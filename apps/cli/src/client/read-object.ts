import { KilnError } from '@kiln/contracts';
import { parseText } from '@kiln/suites';
import { readFile } from 'node:fs/promises';

/**
 * An object given on the command line: as JSON, or as the name of a JSON or YAML file.
 *
 * @param option for messages, without its dashes
 * @throws KilnError `eval_invalid_request` that says what would be right
 */
export async function readObject(text: string, option: string): Promise<Record<string, unknown>> {
  const inline = text.trimStart().startsWith('{');
  const source = inline ? text : await readFile(text, 'utf8').catch(() => null);
  if (source === null) {
    throw new KilnError('eval_invalid_request', `${option}: there is no file ${JSON.stringify(text)}`, {
      path: option,
      hint: `Give --${option} a JSON object in quotes, or the name of a JSON or YAML file.`,
    });
  }
  const value = parseText(source, !inline && /\.ya?ml$/i.test(text) ? 'yaml' : 'json', inline ? `--${option}` : text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new KilnError('eval_invalid_request', `${option}: is not an object`, { path: option, hint: 'Write {"kind": …}.' });
}
