import { type JsonValue, type Score, type ScorerOf } from '@kiln/contracts';
import { excerpt } from './excerpt.js';
import { compileJsonSchema, type JsonSchema } from './json-schema/compile-json-schema.js';
import { readFirstJson } from './json/read-first-json.js';
import { failed, invalid, passed, unscorable } from './score-results.js';
import { checkValueExpression, compileScoredValue } from './scored-value.js';
import { type ScorerCheck } from './scorer-definition.js';
import { acceptExample, scorerRefusal } from './scorer-refusal.js';
import { type CompiledScorer } from './scoring-input.js';

type JsonSchemaScorer = ScorerOf<'json_schema'>;

/**
 * Passes when the JSON of the answer (see {@link readFirstJson}) is valid under the schema. A value expression that gives
 * something other than text is validated as it is. No JSON, or JSON that is nested too deeply, is `invalid`; a validation
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
  return answer.kind === 'none' ? invalid(answer.reason) : scoreValue(schema, answer.value as JsonValue);
}

function scoreValue(schema: JsonSchema, value: JsonValue): Score {
  const verdict = schema.validate(value);
  switch (verdict.kind) {
    case 'valid':
      return passed();
    case 'not_valid':
      return failed({ reason: 'not_valid', at: excerpt(verdict.pointer), message: excerpt(verdict.message) });
    case 'too_deep':
      return invalid('nested_too_deeply');
    case 'too_costly':
      return unscorable('validation_too_costly');
  }
}

export function checkJsonSchemaScorer({ schema: source, value_expression }: JsonSchemaScorer, path: string): ScorerCheck {
  checkValueExpression(value_expression, path);
  const schema = compileJsonSchema(source);
  if (schema.kind === 'schema') return acceptExample;
  throw scorerRefusal(
    `${path}.schema`,
    `at ${schema.pointer === '' ? 'its root' : schema.pointer}: ${schema.message}`,
    'Write a JSON Schema of draft 2020-12, or name draft 7 or 2019-09 in $schema.',
  );
}
