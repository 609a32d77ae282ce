import { Injectable } from '@nestjs/common';
import { type AdapterList, type ModelList, type ScanResponse } from '@kiln/contracts';
import { listAdapters, listModels, requestScan, servedModelNames } from '@kiln/database';
import { ApiDependencies } from '../api-dependencies.js';
import { type Caller } from '../auth/caller.js';
import { actorOf } from '../http/actor-of.js';
import { CURSOR_PART, decodeCursor } from '../http/cursor.js';
import { type QueryOf } from '../http/operation.js';
import { pageOf } from '../http/page.js';
import { defaultModelName } from './default-model.js';

@Injectable()
export class ModelsService {
  constructor(private readonly api: ApiDependencies) {}

  async list(caller: Caller, query: QueryOf<'listModels'>): Promise<ModelList> {
    const [name, id] = decodeCursor(query.cursor, [CURSOR_PART.text, CURSOR_PART.uuid]) ?? [];
    const after = name === undefined || id === undefined ? null : { name, id };
    const rows = await listModels(this.api.database, { projectId: caller.projectId, after, limit: query.limit + 1 });
    const { default_model: configured } = this.api.config();
    // The echo comes last: two names show whether there is only one besides it.
    const served = configured === null ? await servedModelNames(this.api.database, 2) : [];
    const defaultName = defaultModelName(configured, served);
    const { shown, next_cursor } = pageOf(rows, query.limit, (row) => [row.name, row.id]);
    const models = shown.map((row) => ({
      model: row.name,
      engine: row.engine,
      model_digest: row.modelDigest,
      tokenizer_digest: row.tokenizerDigest,
      template_digest: row.templateDigest,
      pools: row.pools,
      num_adapters: row.adapterCount,
      active_adapter: row.activeAdapter,
      is_default: row.name === defaultName,
      published_at: row.publishedAt.toISOString(),
    }));
    return { models, next_cursor };
  }

  async listAdapters(caller: Caller, query: QueryOf<'listAdapters'>): Promise<AdapterList> {
    const [modelName, name, id] = decodeCursor(query.cursor, [CURSOR_PART.text, CURSOR_PART.text, CURSOR_PART.uuid]) ?? [];
    const after = modelName === undefined || name === undefined || id === undefined ? null : { modelName, name, id };
    const page = { projectId: caller.projectId, modelName: query.model ?? null, after, limit: query.limit + 1 };
    const rows = await listAdapters(this.api.database, page);
    const { shown, next_cursor } = pageOf(rows, query.limit, (row) => [row.modelName, row.name, row.id]);
    const adapters = shown.map((row) => ({
      adapter: row.name,
      model: row.modelName,
      adapter_digest: row.digest,
      active: row.active,
      published_at: row.publishedAt.toISOString(),
    }));
    return { adapters, next_cursor };
  }

  async scan(caller: Caller): Promise<ScanResponse> {
    return { status: 'requested', workers: await requestScan(this.api.database, caller.projectId, actorOf(caller)) };
  }
}
