import { Injectable } from '@nestjs/common';
import { type AdapterList, type ModelList, type ScanResponse } from '@kiln/contracts';
import { listAdapters, listModels, requestScan, servedModelNames } from '@kiln/database';
import { ApiDependencies } from '../api-dependencies.js';
import { type Caller } from '../auth/caller.js';
import { actorOf } from '../http/actor-of.js';
import { CURSOR_PART, decodeCursor, encodeCursor } from '../http/cursor.js';
import { type QueryOf } from '../http/operation.js';

@Injectable()
export class ModelsService {
  constructor(private readonly api: ApiDependencies) {}

  async list(caller: Caller, query: QueryOf<'listModels'>): Promise<ModelList> {
    const [name, id] = decodeCursor(query.cursor, [CURSOR_PART.text, CURSOR_PART.uuid]) ?? [];
    const after = name === undefined || id === undefined ? null : { name, id };
    const rows = await listModels(this.api.database, { projectId: caller.projectId, after, limit: query.limit + 1 });
    const defaultName = await this.#defaultName();
    const shown = rows.slice(0, query.limit);
    const last = rows.length > query.limit ? shown.at(-1) : undefined;
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
    return { models, next_cursor: last ? encodeCursor([last.name, last.id]) : null };
  }

  async listAdapters(caller: Caller, query: QueryOf<'listAdapters'>): Promise<AdapterList> {
    const [modelName, name, id] = decodeCursor(query.cursor, [CURSOR_PART.text, CURSOR_PART.text, CURSOR_PART.uuid]) ?? [];
    const after = modelName === undefined || name === undefined || id === undefined ? null : { modelName, name, id };
    const page = { projectId: caller.projectId, modelName: query.model ?? null, after, limit: query.limit + 1 };
    const rows = await listAdapters(this.api.database, page);
    const shown = rows.slice(0, query.limit);
    const last = rows.length > query.limit ? shown.at(-1) : undefined;
    const adapters = shown.map((row) => ({
      adapter: row.name,
      model: row.modelName,
      adapter_digest: row.digest,
      active: row.active,
      published_at: row.publishedAt.toISOString(),
    }));
    return { adapters, next_cursor: last ? encodeCursor([last.modelName, last.name, last.id]) : null };
  }

  async scan(caller: Caller): Promise<ScanResponse> {
    return { status: 'requested', workers: await requestScan(this.api.database, caller.projectId, actorOf(caller)) };
  }

  /** The model of requests that name none. */
  async #defaultName(): Promise<string | null> {
    const configured = this.api.config().default_model;
    if (configured !== null) return configured;
    const [first, second] = (await servedModelNames(this.api.database, 2)).filter(({ engine }) => engine !== 'echo');
    return first && !second ? first.name : null;
  }
}
