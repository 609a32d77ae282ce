import { ErrorBody } from '../errors/error-body.js';
import { type ErrorCode } from '../errors/error-code.js';
import { ERROR_STATUS, RETRY_AFTER_SECONDS } from '../errors/error-status.js';
import { allRoutes } from '../routes/catalogue.js';
import { type Payload, type Route, errorsOf } from '../routes/route.js';
import { Components } from './components.js';
import { type Direction, type JsonSchema } from './json-schema.js';
import { parametersOf } from './parameters.js';

const TAGS = [
  { name: 'suites', description: 'Named, immutable sets of examples.' },
  { name: 'jobs', description: 'Submitted work, its outcomes, comparisons and verdicts.' },
  { name: 'models', description: 'What workers can serve.' },
  { name: 'keys', description: 'API keys and their scopes.' },
  { name: 'service', description: 'Health, metrics and these documents.' },
];

/**
 * The OpenAPI 3.1 document of the whole API, made from the route catalogue: what it says is what the routes check.
 * @param version the product's version, such as "0.1.0".
 */
export function openApiDocument(version: string): JsonSchema {
  const components = new Components();
  const paths: Record<string, JsonSchema> = {};
  for (const route of allRoutes()) {
    const item = (paths[route.path] ??= {});
    item[route.method.toLowerCase()] = operation(route, components);
  }
  components.add(ErrorBody, 'output');
  const { document, schemas } = components.finish({ paths });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kiln Fleet',
      version,
      description: 'Is this model, adapter, prompt or agent really better, and can we prove it?',
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    tags: TAGS,
    paths: document['paths'],
    components: {
      schemas,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key. Each route says which scope the key needs.' },
      },
    },
  };
}

function operation(route: Route, components: Components): JsonSchema {
  const parameters = parametersOf(route, components);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    ...(route.scope ? { security: [{ apiKey: [] }], 'x-scope': route.scope } : { security: [] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body
      ? {
          requestBody: {
            required: true,
            ...(route.body.description ? { description: route.body.description } : {}),
            content: content(route.body, 'input', components),
          },
        }
      : {}),
    responses: responses(route, components),
  };
}

function responses(route: Route, components: Components): JsonSchema {
  const answers: Record<string, JsonSchema> = {
    [route.success.status]: { description: 'Success.', content: content(route.success.payload, 'output', components) },
  };
  for (const [status, codes] of byStatus(errorsOf(route))) {
    answers[status] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      ...(codes.some((code) => RETRY_AFTER_SECONDS[code])
        ? { headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } } }
        : {}),
      content: { 'application/json': { schema: components.add(ErrorBody, 'output') } },
    };
  }
  if (route.unavailable) answers[503] = { description: 'Not now.', content: content(route.unavailable, 'output', components) };
  return answers;
}

function content(payload: Payload, direction: Direction, components: Components): JsonSchema {
  const schema = payload.schema ? components.add(payload.schema, direction) : { type: 'string' };
  return Object.fromEntries(payload.mediaTypes.map((type) => [type, { schema: isLines(type) ? { type: 'string' } : schema }]));
}

/** JSON Lines and event streams are text to JSON Schema; the route's description says what a line holds. */
function isLines(mediaType: string): boolean {
  return /jsonl|ndjson|event-stream|csv/.test(mediaType);
}

function byStatus(codes: ErrorCode[]): Map<string, ErrorCode[]> {
  const groups = new Map<string, ErrorCode[]>();
  for (const code of codes) groups.set(String(ERROR_STATUS[code]), [...(groups.get(String(ERROR_STATUS[code])) ?? []), code]);
  return new Map([...groups].toSorted(([a], [b]) => Number(a) - Number(b)));
}
