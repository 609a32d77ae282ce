import { z } from 'zod';
import { JsonObject } from '../scalars/json-value.js';
import { type Payload, type Route, json } from './route.js';

export const HealthView = z.object({ status: z.literal('ok'), version: z.string() }).meta({ id: 'HealthView' });
export type HealthView = z.infer<typeof HealthView>;

/** Each dependency: `ok`, or what is wrong with it. */
export const ReadinessView = z
  .object({ status: z.enum(['ready', 'not_ready']), checks: z.record(z.string(), z.string()) })
  .meta({ id: 'ReadinessView' });
export type ReadinessView = z.infer<typeof ReadinessView>;

const open = { method: 'GET', tag: 'service', scope: null, params: null, query: null, headers: null, body: null, errors: [] } as const;

function text(mediaType: string): Payload<null> {
  return { mediaTypes: [mediaType], schema: null };
}

export const serviceRoutes = {
  getHealth: {
    ...open,
    path: '/healthz',
    operationId: 'getHealth',
    summary: 'Whether the process is alive',
    success: { status: 200, payload: json(HealthView) },
  },
  getReadiness: {
    ...open,
    path: '/readyz',
    operationId: 'getReadiness',
    summary: 'Whether requests can be served now',
    description: 'Answers 503 with the same body while a dependency is down.',
    success: { status: 200, payload: json(ReadinessView) },
    unavailable: json(ReadinessView),
  },
  getMetrics: {
    ...open,
    path: '/metrics',
    operationId: 'getMetrics',
    summary: 'Prometheus metrics of this process',
    success: { status: 200, payload: text('text/plain') },
  },
  getOpenApi: {
    ...open,
    path: '/v1/openapi.json',
    operationId: 'getOpenApi',
    summary: 'This document',
    success: { status: 200, payload: json(JsonObject) },
  },
  getDocs: {
    ...open,
    path: '/docs',
    operationId: 'getDocs',
    summary: 'This document as a page to browse',
    success: { status: 200, payload: text('text/html') },
  },
} as const satisfies Record<string, Route>;
