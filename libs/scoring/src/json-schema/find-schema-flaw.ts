import { type ValidateFunction } from 'ajv';
import { type SchemaFlaw } from './prepare-schema.js';
import { readSchemaError } from './read-schema-error.js';
import { type SchemaDraft } from './schema-draft.js';

/** What the schema of its draft has against a schema; null when nothing. Recursive: callers bound the depth. */
export function findSchemaFlaw(schema: unknown, draft: SchemaDraft): SchemaFlaw | null {
  const validate = metaSchemaOf(draft);
  return validate(schema) ? null : readSchemaError(validate.errors);
}

const compiled = new Map<SchemaDraft, ValidateFunction>();

/** Compiled when first needed: it takes tens of milliseconds. */
function metaSchemaOf(draft: SchemaDraft): ValidateFunction {
  const known = compiled.get(draft);
  if (known !== undefined) return known;
  const ajv = new draft.Validator({ strict: false, validateFormats: false, logger: false });
  const validate = ajv.getSchema(draft.uri);
  if (validate === undefined) throw new Error(`${draft.uri} is not there`);
  compiled.set(draft, validate as ValidateFunction);
  return validate as ValidateFunction;
}
