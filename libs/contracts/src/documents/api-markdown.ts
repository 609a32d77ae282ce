import { ErrorCode } from '../errors/error-code.js';
import { ERROR_STATUS, RETRY_AFTER_SECONDS } from '../errors/error-status.js';
import { INPUT_SUFFIX } from '../openapi/components.js';
import { type JsonSchema } from '../openapi/json-schema.js';
import { openApiDocument } from '../openapi/open-api.js';
import { allRoutes } from '../routes/catalogue.js';
import { type Route, errorsOf } from '../routes/route.js';
import { table } from './table.js';
import { schemaName, typeText } from './type-text.js';

const INTRODUCTION = `Every answer but text is JSON. Send an API key as \`Authorization: Bearer …\`; each route says which scope the key needs.

- **Errors** have one shape: \`{"error":{"code","message","hint"}}\`. Codes are stable, and the message names the bad field by its path, such as \`examples[3].scorer.kind\`.
- **Seeds** are unsigned 64-bit integers: a number or a decimal string in requests, always a decimal string in answers.
- **Money** is US dollars as a decimal string. Unknown is \`null\`, never 0.
- **Lists** come in pages: pass \`next_cursor\` of one page as \`cursor\` of the next, until it is \`null\`.
- **Sending again** is safe for submissions with an \`Idempotency-Key\` header: the same key and body get the first answer for 24 hours, the same key with another body gets 409.
- **Unknown fields** of requests are ignored, except where an object changes what is measured or paid: aggregation, gate and pricing refuse them.
- **Defaults**: a field with a default may be left out of a request; answers always hold it.`;

/** The API guide (`docs/api.md`), made from the route catalogue and the OpenAPI document, so that it cannot drift from them. */
export function apiMarkdown(version: string): string {
  const document = openApiDocument(version);
  const tags = document['tags'] as { name: string; description: string }[];
  const sections = tags.flatMap(({ name, description }) => [
    `## ${capital(name)}`,
    description,
    ...allRoutes()
      .filter((route) => route.tag === name)
      .map((route) => routeText(route, operationOf(document, route))),
  ]);
  const text = [
    '# HTTP API',
    `Version ${version}. Generated from the route catalogue; do not edit.`,
    INTRODUCTION,
    summary(),
    ...sections,
    '## Error codes',
    errorTable(),
    '## Schemas',
    ...schemaSections(document),
  ];
  return `${text.join('\n\n')}\n`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function operationOf(document: JsonSchema, route: Route): JsonSchema {
  const paths = document['paths'] as Record<string, Record<string, JsonSchema>>;
  return paths[route.path]?.[route.method.toLowerCase()] ?? {};
}

function summary(): string {
  const rows = allRoutes().map((route) => [
    `[\`${route.method} ${route.path}\`](#${route.operationId.toLowerCase()})`,
    route.summary,
    scopeText(route),
  ]);
  return table(['Route', 'What it does', 'Scope'], rows);
}

function scopeText(route: Route): string {
  return route.scope ? `\`${route.scope}\`` : 'none';
}

function routeText(route: Route, operation: JsonSchema): string {
  const parts = [
    `### ${route.operationId}`,
    `\`${route.method} ${route.path}\` · scope ${scopeText(route)}`,
    `${route.summary}.${route.description ? ` ${route.description}` : ''}`,
  ];
  const parameters = (operation['parameters'] as JsonSchema[] | undefined) ?? [];
  if (parameters.length > 0) {
    const rows = parameters.map((field) => [
      `\`${String(field['name'])}\``,
      String(field['in']),
      typeText(field['schema'] as JsonSchema),
      defaultText(field['schema'] as JsonSchema),
      String(field['description'] ?? ''),
    ]);
    parts.push(table(['Parameter', 'In', 'Type', 'Default', ''], rows));
  }
  const body = operation['requestBody'] as JsonSchema | undefined;
  if (body)
    parts.push(`Body: ${contentText(body['content'] as JsonSchema)}.${body['description'] ? ` ${String(body['description'])}` : ''}`);
  const responses = operation['responses'] as Record<string, JsonSchema>;
  parts.push(`Answer ${route.success.status}: ${contentText(responses[route.success.status]?.['content'] as JsonSchema)}.`);
  parts.push(
    `Errors: ${errorsOf(route)
      .map((code) => `\`${code}\` ${ERROR_STATUS[code]}`)
      .join(', ')}.`,
  );
  return parts.join('\n\n');
}

function contentText(content: JsonSchema): string {
  const byType = new Map<string, string[]>();
  for (const [mediaType, media] of Object.entries(content as Record<string, { schema: JsonSchema }>)) {
    const type = typeText(media.schema);
    byType.set(type, [...(byType.get(type) ?? []), `\`${mediaType}\``]);
  }
  return [...byType].map(([type, mediaTypes]) => `${type === 'string' ? 'text' : type} (${mediaTypes.join(', ')})`).join('; ');
}

function defaultText(schema: JsonSchema): string {
  return 'default' in schema ? `\`${JSON.stringify(schema['default'])}\`` : '';
}

function errorTable(): string {
  const rows = ErrorCode.options.map((code) => [
    `\`${code}\``,
    String(ERROR_STATUS[code]),
    RETRY_AFTER_SECONDS[code] ? `${RETRY_AFTER_SECONDS[code]} s` : '',
  ]);
  return table(['Code', 'HTTP', 'Retry-After'], rows);
}

function schemaSections(document: JsonSchema): string[] {
  const { schemas } = document['components'] as { schemas: Record<string, JsonSchema> };
  return Object.entries(schemas)
    .filter(([name]) => !(`${name}${INPUT_SUFFIX}` in schemas))
    .map(([name, schema]) => [`### ${schemaName(name)}`, ...schemaParts(schema)].join('\n\n'));
}

function schemaParts(schema: JsonSchema): string[] {
  const { description, ...rest } = schema;
  const properties = schema['properties'] as Record<string, JsonSchema> | undefined;
  const intro = typeof description === 'string' ? [description] : [];
  if (!properties) return [...intro, `${typeText(rest)}.`];
  const required = new Set((schema['required'] as string[] | undefined) ?? []);
  const rows = Object.entries(properties).map(([name, field]) => [
    `\`${name}\``,
    typeText(field),
    required.has(name) ? 'yes' : '',
    defaultText(field),
    String(field['description'] ?? ''),
  ]);
  const closed = schema['additionalProperties'] === false ? ['Unknown fields are refused.'] : [];
  return [...intro, ...closed, table(['Field', 'Type', 'Required', 'Default', ''], rows)];
}
