import { z } from 'zod';
import { Digest } from '../scalars/digest.js';
import { nonBlankText } from '../scalars/text.js';
import { ScorerProof } from '../suites/scorer-proof.js';
import { Suite } from '../suites/suite.js';
import { SuiteName } from '../suites/suite-name.js';
import { SuiteSummary } from '../suites/suite-summary.js';
import { flag, page, pageQuery } from './route-fields.js';
import { type Route, json } from './route.js';

const SuiteParams = z.object({ name: SuiteName });

export const SuiteList = page('suites', SuiteSummary).meta({ id: 'SuiteList' });
export type SuiteList = z.infer<typeof SuiteList>;

export const RegisterSuiteResponse = z
  .object({ status: z.enum(['created', 'overwritten']), suite: SuiteSummary, scorer_proof: ScorerProof })
  .meta({ id: 'RegisterSuiteResponse' });
export type RegisterSuiteResponse = z.infer<typeof RegisterSuiteResponse>;

export const DeleteSuiteResponse = z.object({ name: z.string(), status: z.literal('deleted') }).meta({ id: 'DeleteSuiteResponse' });
export type DeleteSuiteResponse = z.infer<typeof DeleteSuiteResponse>;

/** A stored suite version: the document as parsed, with its identity. */
export const SuiteView = z
  .object({ ...Suite.shape, summary: SuiteSummary, scorer_proof: ScorerProof.nullable() })
  .meta({ id: 'SuiteView' });
export type SuiteView = z.output<typeof SuiteView>;

/** How the scorers of one version grade answers that are known to be right or wrong. */
export const ProveSuiteResponse = z
  .object({ name: z.string(), hash: Digest, scorer_waiver: z.string().nullable(), scorer_proof: ScorerProof })
  .meta({ id: 'ProveSuiteResponse' });
export type ProveSuiteResponse = z.infer<typeof ProveSuiteResponse>;

const hash = nonBlankText(200).exactOptional().meta({ description: 'An older version; default: the newest.' });

export const JSONL_MEDIA_TYPES = ['application/jsonl', 'application/x-ndjson'] as const;
export const YAML_MEDIA_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml'] as const;

export const suiteRoutes = {
  listSuites: {
    method: 'GET',
    path: '/v1/eval/suites',
    operationId: 'listSuites',
    tag: 'suites',
    summary: 'List suites by name',
    scope: 'eval:read',
    params: null,
    query: z.object(pageQuery),
    headers: null,
    body: null,
    success: { status: 200, payload: json(SuiteList) },
    errors: [],
  },
  registerSuite: {
    method: 'POST',
    path: '/v1/eval/suites',
    operationId: 'registerSuite',
    tag: 'suites',
    summary: 'Register a suite',
    description:
      'Stores a new immutable version. JSON and YAML bodies hold the whole suite and are limited to 32 MiB. A JSONL body is read as a stream of any length: its first line is the suite without `examples`, every other non-blank line one example. Nothing is stored when any line is wrong.',
    scope: 'eval:write',
    params: null,
    query: z.object({ force: flag('Replace a suite of this name; its older versions stay readable by the jobs that used them.') }),
    headers: null,
    body: {
      mediaTypes: ['application/json', ...YAML_MEDIA_TYPES, ...JSONL_MEDIA_TYPES],
      schema: Suite,
      description: 'JSONL: a SuiteHeader on the first line, then one Example a line.',
    },
    success: { status: 200, payload: json(RegisterSuiteResponse) },
    errors: ['invalid_suite_name', 'eval_suite_exists'],
  },
  getSuite: {
    method: 'GET',
    path: '/v1/eval/suites/{name}',
    operationId: 'getSuite',
    tag: 'suites',
    summary: 'Read a suite',
    description: 'Streamed, so its size does not matter. `format=jsonl` answers the form that registering reads.',
    scope: 'eval:read',
    params: SuiteParams,
    query: z.object({
      format: z.enum(['json', 'jsonl']).default('json'),
      hash,
    }),
    headers: null,
    body: null,
    success: { status: 200, payload: { mediaTypes: ['application/json', 'application/jsonl'], schema: SuiteView } },
    errors: ['invalid_suite_name', 'eval_suite_not_found'],
  },
  proveSuite: {
    method: 'POST',
    path: '/v1/eval/suites/{name}/prove',
    operationId: 'proveSuite',
    tag: 'suites',
    summary: 'Prove the scorers of a suite',
    description:
      'Grades answers that are made from the targets and known to be right or wrong, as registering did, and answers the table of false accepts and false rejects. Starts no job: judges and scorers that run code are left out, and `kiln eval prove-scorers --executed` proves them with an ordinary run.',
    scope: 'eval:read',
    params: SuiteParams,
    query: z.object({ hash }),
    headers: null,
    body: null,
    success: { status: 200, payload: json(ProveSuiteResponse) },
    errors: ['invalid_suite_name', 'eval_suite_not_found'],
  },
  deleteSuite: {
    method: 'DELETE',
    path: '/v1/eval/suites/{name}',
    operationId: 'deleteSuite',
    tag: 'suites',
    summary: 'Delete a suite',
    description: 'Frees the name. Versions that jobs used stay with those jobs.',
    scope: 'eval:write',
    params: SuiteParams,
    query: null,
    headers: null,
    body: null,
    success: { status: 200, payload: json(DeleteSuiteResponse) },
    errors: ['invalid_suite_name', 'eval_suite_not_found'],
  },
} as const satisfies Record<string, Route>;
