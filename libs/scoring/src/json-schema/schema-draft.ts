import { Ajv } from 'ajv';
// oxlint-disable-next-line no-restricted-imports -- where the library publishes its drafts
import { Ajv2019 } from 'ajv/dist/2019.js';
// oxlint-disable-next-line no-restricted-imports -- the same
import { Ajv2020 } from 'ajv/dist/2020.js';

/** A version of JSON Schema that is served. */
export interface SchemaDraft {
  /** Of its own schema, and what `$schema` holds. */
  readonly uri: string;
  readonly Validator: typeof Ajv | typeof Ajv2019 | typeof Ajv2020;
  /** What stands beside a `$ref` is ignored. */
  readonly refReplaces: boolean;
}

const DEFAULT_DRAFT: SchemaDraft = { uri: 'https://json-schema.org/draft/2020-12/schema', Validator: Ajv2020, refReplaces: false };

export const SCHEMA_DRAFTS: readonly SchemaDraft[] = [
  { uri: 'http://json-schema.org/draft-07/schema', Validator: Ajv, refReplaces: true },
  { uri: 'https://json-schema.org/draft/2019-09/schema', Validator: Ajv2019, refReplaces: false },
  DEFAULT_DRAFT,
];

/** The draft that `$schema` names; 2020-12 when it is absent, null when it names another one. */
export function findSchemaDraft(schema: unknown): SchemaDraft | null {
  if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, '$schema')) return DEFAULT_DRAFT;
  const { $schema: uri } = schema as { $schema: unknown };
  return SCHEMA_DRAFTS.find((draft) => uri === draft.uri || uri === `${draft.uri}#`) ?? null;
}
