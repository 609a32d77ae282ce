import { applyDecorators, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { type HttpMethod, type OperationId, type Route, ROUTES, routerPath } from '@kiln/contracts';

const VERBS = { GET: Get, POST: Post, DELETE: Delete } satisfies Record<HttpMethod, (path: string) => MethodDecorator>;

/** What a route carries in Fastify's configuration: its entry in the catalogue. */
export interface OperationConfig {
  operationId?: OperationId;
}

/**
 * Binds a handler to its entry in the route catalogue: verb, path, success status and scope all come from there, so the
 * server cannot drift from its own documentation.
 */
export function Operation(id: OperationId): MethodDecorator {
  const route: Route = ROUTES[id];
  const config: OperationConfig = { operationId: id };
  return applyDecorators(VERBS[route.method](routerPath(route)), HttpCode(route.success.status), RouteConfig(config));
}

/** The catalogue entry of a request's route; undefined for what is not in it (assets of the documentation page). */
export function operationOf(request: { routeOptions: { config: object } }): Route | undefined {
  const { operationId } = request.routeOptions.config as OperationConfig;
  return operationId === undefined ? undefined : ROUTES[operationId];
}

type Part<Id extends OperationId, P extends 'params' | 'query' | 'headers'> = (typeof ROUTES)[Id][P] extends {
  _zod: { output: infer Output };
}
  ? Output
  : never;

export type ParamsOf<Id extends OperationId> = Part<Id, 'params'>;
export type QueryOf<Id extends OperationId> = Part<Id, 'query'>;
export type HeadersOf<Id extends OperationId> = Part<Id, 'headers'>;
