import { type ErrorObject } from 'ajv';
import { type SchemaFlaw } from './prepare-schema.js';
import { showName } from './prototype-names.js';

const HIDDEN = /[_A-Za-z]+\uE000+/g;

/** What the validator found first. Of alternatives that all failed, its last error sums them up. */
export function readSchemaError(errors: readonly ErrorObject[] | null | undefined): SchemaFlaw {
  const last = errors?.at(-1);
  const name: unknown = last?.params['additionalProperty'] ?? last?.params['unevaluatedProperty'];
  const message = last?.message ?? 'is not valid';
  return {
    pointer: (last?.instancePath ?? '').replaceAll(HIDDEN, showName),
    message: (typeof name === 'string' ? `${message}: ${JSON.stringify(name)}` : message).replaceAll(HIDDEN, showName),
  };
}
