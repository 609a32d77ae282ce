import { type z } from 'zod';
import { type ErrorCode } from '../errors/error-code.js';
import { type Scope } from '../scope.js';

export type HttpMethod = 'GET' | 'POST' | 'DELETE';

export type RouteTag = 'suites' | 'jobs' | 'models' | 'keys' | 'service';

/** A body or an answer: one schema, in every media type listed. `null` schema: text that no JSON Schema describes. */
export interface Payload<S extends z.ZodType | null = z.ZodType | null> {
  mediaTypes: readonly string[];
  schema: S;
  description?: string;
}

/**
 * One route of the HTTP API. Controllers, the OpenAPI document, the API guide and clients all come from it.
 * `scope` null: no key is needed. `errors` lists what is particular to the route; {@link errorsOf} adds what any can answer.
 */
export interface Route {
  method: HttpMethod;
  /** With `{name}` placeholders, as OpenAPI writes them. */
  path: string;
  operationId: string;
  tag: RouteTag;
  summary: string;
  description?: string;
  scope: Scope | null;
  params: z.ZodObject | null;
  query: z.ZodObject | null;
  headers: z.ZodObject | null;
  body: Payload | null;
  success: { status: 200 | 201 | 202; payload: Payload };
  errors: readonly ErrorCode[];
  /** A 503 answer that is no ErrorBody. */
  unavailable?: Payload;
}

/** JSON in the usual media type. */
export function json<S extends z.ZodType>(schema: S): Payload<S> {
  return { mediaTypes: ['application/json'], schema };
}

/** The path in the form that Fastify and Nest write: `/v1/eval/jobs/:id`. */
export function routerPath(route: Pick<Route, 'path'>): string {
  return route.path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Every code that `route` may answer, its own first. */
export function errorsOf(route: Pick<Route, 'scope' | 'errors' | 'query' | 'params' | 'body' | 'headers'>): ErrorCode[] {
  const reads = route.query ?? route.params ?? route.body ?? route.headers;
  const codes: ErrorCode[] = [...route.errors];
  if (reads) codes.push('eval_invalid_request');
  if (route.body) codes.push('payload_too_large', 'unsupported_media_type');
  if (route.scope) codes.push('unauthorized', 'forbidden', 'database_unavailable');
  codes.push('internal_error');
  return [...new Set(codes)];
}
