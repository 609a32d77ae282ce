import { Example, KilnError, parseWith } from '@kiln/contracts';
import { parseText } from './parse-text.js';

/**
 * Reads one line of `examples.jsonl`.
 *
 * @param lineNumber from 1; blank lines are counted, so that editors and messages agree.
 * @returns null for a blank line.
 * @throws {KilnError} naming the line and the field.
 */
export function parseExampleLine(line: string, lineNumber: number): Example | null {
  if (line.trim() === '') return null;
  const at = `line ${lineNumber}`;
  const value = parseText(line, 'json', at);
  try {
    return parseWith(Example, value, 'example');
  } catch (error) {
    if (!(error instanceof KilnError)) throw error;
    const path = error.path === null ? at : `${at}: ${error.path}`;
    throw new KilnError(error.code, `${at}: ${error.message}`, { path, hint: error.hint ?? '', cause: error });
  }
}
