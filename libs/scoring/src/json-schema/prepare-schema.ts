import { isJsonObject } from '../json/is-json-object.js';
import { type SchemaDraft } from './schema-draft.js';
import { compileEcmaPattern } from './ecma-pattern.js';
import { showName } from './prototype-names.js';
import { STEP_KEYWORD } from './schema-keywords.js';

type SchemaObject = Record<string, unknown>;

/** A schema as the validator gets it. */
export interface PreparedSchema {
  readonly root: SchemaObject | boolean;
  /** Subschemas with an `$id` of their own: documents inside the document. In their place stands a reference. */
  readonly embedded: readonly SchemaObject[];
  /** Where each reference stands first. */
  readonly references: ReadonlyMap<string, string>;
  /** Whether a keyword asks what other keywords have looked at. */
  readonly tracksEvaluation: boolean;
}

/** What is wrong with a schema, and where in it: a JSON Pointer. */
export interface SchemaFlaw {
  readonly pointer: string;
  readonly message: string;
}

/** Each becomes about a kilobyte of code. */
const MAX_SUBSCHEMAS = 2000;

/** Where documents without an `$id` lie. */
const BASE = 'kiln:///schema';

const ONE = new Set(
  'additionalItems additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems unevaluatedProperties'.split(
    ' ',
  ),
);
const LIST = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']);
const NAMED = new Set(['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties']);
const DATA = new Set(['$vocabulary', 'const', 'default', 'dependentRequired', 'enum', 'examples', 'required', 'type']);

/** Keywords of the validator that are none of JSON Schema, and `$schema`, which has done its work. */
const DROPPED = new Set(['$async', '$schema', 'discriminator', 'id', 'nullable', STEP_KEYWORD]);

/**
 * Copies a schema for the validator: each subschema counts its work, documents inside the document are taken out, patterns
 * are tried, and extensions of the validator are dropped. Schemas inside unknown keywords are prepared too, because a
 * reference may lead there.
 */
export function prepareSchema(schema: SchemaObject | boolean, draft: SchemaDraft): PreparedSchema | SchemaFlaw {
  const preparation = new Preparation(draft);
  try {
    const root = typeof schema === 'boolean' ? schema : preparation.document(schema, BASE, '');
    const { embedded, references, tracksEvaluation } = preparation;
    return { root, embedded, references, tracksEvaluation };
  } catch (error) {
    if (error instanceof Flaw) return error.flaw;
    throw error;
  }
}

class Flaw extends Error {
  constructor(readonly flaw: SchemaFlaw) {
    super(flaw.message);
  }
}

class Preparation {
  readonly embedded: SchemaObject[] = [];
  readonly references = new Map<string, string>();
  tracksEvaluation = false;
  #subschemas = 0;

  constructor(readonly draft: SchemaDraft) {}

  document(schema: SchemaObject, base: string, pointer: string): SchemaObject {
    const id = ownId(schema, this.draft) ?? '';
    const url = tryUrl(id, base);
    if (url === null) throw new Flaw({ pointer: `${pointer}/$id`, message: 'is not a URI' });
    url.hash = '';
    return { ...this.#members(schema, url.href, pointer, true), $id: url.href };
  }

  #schema(schema: unknown, base: string, pointer: string, known: boolean): unknown {
    if (!isJsonObject(schema))
      return Array.isArray(schema) ? schema.map((item, at) => this.#schema(item, base, `${pointer}/${at}`, known)) : schema;
    if (!known || ownId(schema, this.draft) === null) return this.#members(schema, base, pointer, known);
    const document = this.document(schema, base, pointer);
    this.embedded.push(document);
    return { $ref: document['$id'], [STEP_KEYWORD]: true };
  }

  #members(schema: SchemaObject, base: string, pointer: string, known: boolean): SchemaObject {
    this.#subschemas += 1;
    if (this.#subschemas > MAX_SUBSCHEMAS)
      throw new Flaw({ pointer, message: `is beyond the first ${MAX_SUBSCHEMAS} subschemas; make it smaller` });
    const prepared: SchemaObject = { [STEP_KEYWORD]: true };
    for (const [keyword, value] of Object.entries(schema)) {
      if (DROPPED.has(keyword)) continue;
      const at = `${pointer}/${pointerToken(keyword)}`;
      if (known && keyword === 'pattern') tryPattern(value, at);
      if (keyword.startsWith('unevaluated')) this.tracksEvaluation = true;
      if (keyword === '$ref' && typeof value === 'string' && !this.references.has(value)) this.references.set(value, at);
      prepared[keyword] = this.#value(keyword, value, base, at, known);
    }
    return prepared;
  }

  #value(keyword: string, value: unknown, base: string, at: string, known: boolean): unknown {
    if (DATA.has(keyword)) return value;
    if (ONE.has(keyword) || LIST.has(keyword)) return this.#schema(value, base, at, known);
    if (!NAMED.has(keyword) || !isJsonObject(value)) return this.#schema(value, base, at, false);
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const place = `${at}/${pointerToken(name)}`;
        if (known && keyword === 'patternProperties') tryPattern(name, place);
        return [name, this.#schema(member, base, place, known)];
      }),
    );
  }
}

/** The `$id` that makes a schema a document; null when it is only a part of one. */
function ownId({ $id: id, $ref: ref }: SchemaObject, { refReplaces }: SchemaDraft): string | null {
  if (typeof id !== 'string' || (refReplaces && ref !== undefined) || id.startsWith('#')) return null;
  return id;
}

function tryUrl(id: string, base: string): URL | null {
  try {
    return new URL(id, base);
  } catch {
    return null;
  }
}

function tryPattern(source: unknown, pointer: string): void {
  if (typeof source !== 'string') return;
  const pattern = compileEcmaPattern(source);
  if (pattern.kind === 'bad_pattern')
    throw new Flaw({ pointer, message: `${pattern.message} (patterns have no look-around and no back-references)` });
}

function pointerToken(name: string): string {
  return showName(name).replaceAll('~', '~0').replaceAll('/', '~1');
}
