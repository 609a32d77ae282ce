import { z } from 'zod';
import { CreateKeyRequest, CreateKeyResponse, KeyView } from '../keys.js';
import { page, pageQuery } from './route-fields.js';
import { type Route, json } from './route.js';

export const KeyList = page('keys', KeyView).meta({ id: 'KeyList' });
export type KeyList = z.infer<typeof KeyList>;

export const keyRoutes = {
  createKey: {
    method: 'POST',
    path: '/v1/keys',
    operationId: 'createKey',
    tag: 'keys',
    summary: 'Make an API key',
    description: 'The secret is in this answer and nowhere else.',
    scope: 'ops',
    params: null,
    query: null,
    headers: null,
    body: json(CreateKeyRequest),
    success: { status: 201, payload: json(CreateKeyResponse) },
    errors: [],
  },
  listKeys: {
    method: 'GET',
    path: '/v1/keys',
    operationId: 'listKeys',
    tag: 'keys',
    summary: 'List API keys',
    scope: 'ops',
    params: null,
    query: z.object(pageQuery),
    headers: null,
    body: null,
    success: { status: 200, payload: json(KeyList) },
    errors: [],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/v1/keys/{id}',
    operationId: 'revokeKey',
    tag: 'keys',
    summary: 'Revoke an API key',
    description: 'From now on the key is refused. Revoking it again changes nothing.',
    scope: 'ops',
    params: z.object({ id: z.string().min(1).max(200) }),
    query: null,
    headers: null,
    body: null,
    success: { status: 200, payload: json(KeyView) },
    errors: ['key_not_found'],
  },
} as const satisfies Record<string, Route>;
