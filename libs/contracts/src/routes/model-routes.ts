import { z } from 'zod';
import { nonBlankText } from '../scalars/text.js';
import { AdapterView, ModelView, ScanResponse } from '../targets/model-view.js';
import { page, pageQuery } from './route-fields.js';
import { type Route, json } from './route.js';

export const ModelList = page('models', ModelView).meta({ id: 'ModelList' });
export type ModelList = z.infer<typeof ModelList>;

export const AdapterList = page('adapters', AdapterView).meta({ id: 'AdapterList' });
export type AdapterList = z.infer<typeof AdapterList>;

export const modelRoutes = {
  listModels: {
    method: 'GET',
    path: '/v1/models',
    operationId: 'listModels',
    tag: 'models',
    summary: 'List the models that workers serve',
    scope: 'eval:read',
    params: null,
    query: z.object(pageQuery),
    headers: null,
    body: null,
    success: { status: 200, payload: json(ModelList) },
    errors: [],
  },
  listAdapters: {
    method: 'GET',
    path: '/v1/adapters',
    operationId: 'listAdapters',
    tag: 'models',
    summary: 'List adapters',
    scope: 'eval:read',
    params: null,
    query: z.object({ model: nonBlankText(200).exactOptional().meta({ description: 'Only those of this model.' }), ...pageQuery }),
    headers: null,
    body: null,
    success: { status: 200, payload: json(AdapterList) },
    errors: [],
  },
  scanModels: {
    method: 'POST',
    path: '/v1/models/scan',
    operationId: 'scanModels',
    tag: 'models',
    summary: 'Ask every worker to scan its model directory again',
    description: 'Workers publish what they find; listModels shows it seconds later.',
    scope: 'ops',
    params: null,
    query: null,
    headers: null,
    body: null,
    success: { status: 202, payload: json(ScanResponse) },
    errors: [],
  },
} as const satisfies Record<string, Route>;
