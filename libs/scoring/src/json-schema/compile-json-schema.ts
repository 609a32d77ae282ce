import { Ajv, type AnySchema, type Options, type ValidateFunction } from 'ajv';
import { TooDeepError } from '../json/too-deep-error.js';
import { TooCostlyError, WorkBudget } from '../work-budget.js';
import { ExactTwins } from './exact-twins.js';
import { findSchemaFlaw } from './find-schema-flaw.js';
import { prepareSchema, type PreparedSchema, type SchemaFlaw } from './prepare-schema.js';
import { hideNames } from './prototype-names.js';
import { readSchemaError } from './read-schema-error.js';
import { findSchemaDraft, SCHEMA_DRAFTS, type SchemaDraft } from './schema-draft.js';
import { replacedKeywords } from './schema-keywords.js';
import { schemaRegExp } from './schema-reg-exp.js';

export type SchemaResult =
  | { readonly kind: 'valid' }
  /** `pointer` leads to the first value that is wrong. */
  | { readonly kind: 'not_valid'; readonly pointer: string; readonly message: string }
  | { readonly kind: 'too_deep' }
  /** More work than a validation may take, or references that lead in a circle. */
  | { readonly kind: 'too_costly' };

/** A schema, compiled. */
export interface JsonSchema {
  readonly kind: 'schema';
  /** @param value JSON; integers that no 64-bit float holds may be bigints */
  validate(value: unknown): SchemaResult;
}

export interface BadSchema extends SchemaFlaw {
  readonly kind: 'bad_schema';
}

/** Schemas and answers that are nested deeper are refused: the validator recurses. */
const MAX_DEPTH = 200;

/**
 * Subschemas that may be applied in one validation, half a microsecond each at worst; comparing and searching texts counts
 * as well. Recursive references inside `anyOf` would otherwise take time exponential in the depth of the answer.
 */
const MAX_STEPS = 1_000_000;

/** One value of each type: a schema that never ends for one of them is refused. */
const TRIALS: readonly unknown[] = [null, true, 0, '', [], {}];

/**
 * Compiles a JSON Schema of draft 7, 2019-09 or 2020-12 (`$schema` says which; 2020-12 when it does not). `format` is an
 * annotation. References lead into the schema itself or to the schema of its draft; nothing is fetched.
 *
 * A validation is bounded whatever the schema and the value: patterns take linear time, subschemas are counted, depth is
 * limited. Names such as `__proto__` and `constructor` are names like any other (docs/decisions/0013).
 */
export function compileJsonSchema(source: unknown): JsonSchema | BadSchema {
  const draft = findSchemaDraft(source);
  if (draft === null) return bad({ pointer: '/$schema', message: `must be one of ${SCHEMA_DRAFTS.map(({ uri }) => uri).join(', ')}` });
  const hidden = tryHideNames(source);
  if (hidden === null) return bad({ pointer: '', message: `is nested more than ${MAX_DEPTH} deep` });
  const flaw = findSchemaFlaw(hidden.value, draft);
  if (flaw !== null) return bad(flaw);
  const prepared = prepareSchema(hidden.value as Record<string, unknown> | boolean, draft);
  if ('message' in prepared) return bad(prepared);

  const work = new WorkBudget(MAX_STEPS);
  const twins = new ExactTwins();
  const run = compile(prepared, draft, { work, twins });
  if (typeof run !== 'function') return bad(run);
  const validate = (value: unknown): SchemaResult => runBounded(run, { work, twins }, value);
  if (TRIALS.some((value) => validate(value).kind === 'too_costly')) {
    return bad({ pointer: '', message: 'refers to itself in a circle, or to so much that no value can be checked' });
  }
  return { kind: 'schema', validate };
}

/** What the keywords of one schema share, for one answer at a time. */
interface Validation {
  readonly work: WorkBudget;
  readonly twins: ExactTwins;
}

function compile(prepared: PreparedSchema, draft: SchemaDraft, { work, twins }: Validation): ValidateFunction | SchemaFlaw {
  const { root, embedded, references, tracksEvaluation } = prepared;
  const ajv = new draft.Validator({
    strict: false,
    logger: false,
    validateFormats: false,
    validateSchema: false,
    ignoreKeywordsWithRef: draft.refReplaces,
    meta: [...references.keys()].some((reference) => SCHEMA_DRAFTS.some(({ uri }) => reference.startsWith(uri))),
    // Optimising takes time that is quadratic in the size of the schema.
    code: { regExp: schemaRegExp(work), optimize: false },
  } as Options);
  // Later drafts try every alternative to know it, which is exponential where alternatives recurse.
  ajv.opts.unevaluated = tracksEvaluation;
  for (const keyword of replacedKeywords(work, twins)) ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword);
  try {
    for (const document of embedded) ajv.addSchema(document);
    return ajv.compile(root as AnySchema);
  } catch (error) {
    if (!(error instanceof Ajv.MissingRefError)) return { pointer: '', message: error instanceof Error ? error.message : String(error) };
    const pointer = [...references].find(([reference]) => error.message.includes(`reference ${reference} from`))?.[1] ?? '';
    return { pointer, message: 'leads nowhere inside the schema, and nothing is fetched' };
  }
}

function runBounded(run: ValidateFunction, { work, twins }: Validation, value: unknown): SchemaResult {
  const hidden = tryHideNames(value);
  if (hidden === null) return { kind: 'too_deep' };
  work.restart();
  try {
    return run(twins.roundedCopy(hidden.value)) ? { kind: 'valid' } : { kind: 'not_valid', ...readSchemaError(run.errors) };
  } catch (error) {
    // The stack is a limit too: references may lead in a circle where a value has a certain property.
    if (error instanceof TooCostlyError || error instanceof RangeError) return { kind: 'too_costly' };
    throw error;
  }
}

function tryHideNames(value: unknown): { readonly value: unknown } | null {
  try {
    return { value: hideNames(value, MAX_DEPTH) };
  } catch (error) {
    if (error instanceof TooDeepError) return null;
    throw error;
  }
}

function bad(flaw: SchemaFlaw): BadSchema {
  return { kind: 'bad_schema', ...flaw };
}
