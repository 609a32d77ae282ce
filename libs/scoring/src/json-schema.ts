import { type Score, type ScorerOf } from '@kiln/contracts';
import { excerpt } from './excerpt.js';
import { compileJsonSchema, type JsonSchema } from './json-schema/compile-json-schema.js';
import { type ExactJson } from './json/exact-json.js';
import { exactValueOf } from './json/read-exact-json.js';
import { readFirstJson } from './json/read-first-json.js';
import { refuseRoundedNumbers } from './refuse-rounded-numbers.js';
import { failed, invalid, passed, unscorable } from './score-results.js';
import { checkValueExpression, compileScoredValue } from './scored-value.js';
import { type ScorerCheck } from './scorer-definition.js';
import { acceptExample, scorerRefusal } from './scorer-refusal.js';
import { type CompiledScorer } from './scoring-input.js';

type JsonSchemaScorer = ScorerOf<'json_schema'>;

/**
 * Passes when the JSON of the answer (see {@link readFirstJson}) is valid under the schema. A value expression that gives
 * something other than text is validated as it is. No JSON, JSON that is nested too deeply, or with a number beyond 4,096
 * digits, is `invalid`; a validation
 * that would take too long is an `error`, because the model was not measured.
 */
export function compileJsonSchemaScorer({ schema: source, value_expression }: JsonSchemaScorer): CompiledScorer {
  const schema = compileJsonSchema(source);
  if (schema.kind === 'bad_schema') {
    return () => unscorable('bad_schema', { at: excerpt(schema.pointer), message: excerpt(schema.message) });
  }
  const readValue = compileScoredValue(value_expression);
  return (input) => {
    const read = readValue(input);
    if (!read.ok) return read.score;
    return typeof read.value === 'string' ? scoreText(schema, read.value) : scoreValue(schema, read.value);
  };
}

function scoreText(schema: JsonSchema, text: string): Score {
  const answer = readFirstJson(text);
  if (answer.kind === 'none') return invalid(answer.reason);
  const exact = exactValueOf(answer);
  return exact === null ? invalid('number_too_large') : scoreValue(schema, exact.value);
}

function scoreValue(schema: JsonSchema, value: ExactJson): Score {
  const result = schema.validate(value);
  switch (result.kind) {
    case 'valid':
      return passed();
    case 'not_valid':
      return failed({ reason: 'not_valid', at: excerpt(result.pointer), message: excerpt(result.message) });
    case 'too_deep':
      return invalid('nested_too_deeply');
    case 'too_costly':
      return unscorable('validation_too_costly');
  }
}

export function checkJsonSchemaScorer({ schema: source, value_expression }: JsonSchemaScorer, path: string): ScorerCheck {
  checkValueExpression(value_expression, path);
  refuseRoundedComparisons(source, `${path}.schema`);
  const schema = compileJsonSchema(source);
  if (schema.kind === 'schema') return acceptExample;
  throw scorerRefusal(
    `${path}.schema`,
    `at ${schema.pointer === '' ? 'its root' : schema.pointer}: ${schema.message}`,
    'Write a JSON Schema of draft 2020-12, or name draft 7 or 2019-09 in $schema.',
  );
}

/** Bounds may be rounded; what a value must equal may not. */
function refuseRoundedComparisons(schema: unknown, path: string): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, member] of Object.entries(schema)) {
    const at = Array.isArray(schema) ? `${path}[${key}]` : `${path}.${key}`;
    if (key === 'const' || key === 'enum')
      refuseRoundedNumbers(member, at, 'Ask for the integer as a string, or compare with json_validity.');
    else refuseRoundedComparisons(member, at);
  }
}
