import { type JsonValue } from '@kiln/contracts';
import { compileExpectedValues } from '../expected-values.js';
import { plainText } from '../plain-text.js';
import { type ProvedExample } from './mutant.js';
import { plainAnswer } from '../plain-answer.js';

/** Why a scorer with a value_expression is not proved. */
export const READS_AN_EXPRESSION = 'value_expression takes the compared text out of the answer in a way that cannot be turned round';

/** What an answer may equal, in the scorer's own reading; none when the example names nothing. */
export function compileExpectedOf(written: JsonValue, key: string | null): (example: ProvedExample) => readonly JsonValue[] {
  const read = compileExpectedValues(written, key);
  return (example) => {
    const expected = read(plainAnswer('', example));
    return expected.ok ? expected.values : [];
  };
}

/** As texts; null when there are none, or one cannot be written as text. */
export function textsOf(values: readonly JsonValue[]): [string, ...string[]] | null {
  const texts = values.map(plainText);
  const [first, ...rest] = texts;
  return first === undefined || first === null || rest.includes(null) ? null : [first, ...rest.filter((text) => text !== null)];
}
