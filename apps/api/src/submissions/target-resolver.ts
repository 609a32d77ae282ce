import { Injectable } from '@nestjs/common';
import { type FrozenEndpointTarget, KilnError, mayBeEndpointKey, type TargetSpec, type TargetSpecOf } from '@kiln/contracts';
import { adapterNames, findAdapter, findModel, findServingPool, servedModelNames, type ServedModel } from '@kiln/database';
import { ENDPOINT_IDENTITY, queueName } from '@kiln/running';
import { ApiDependencies } from '../api-dependencies.js';
import { fieldRefusal } from '../http/field-refusal.js';
import { defaultModelName } from '../models/default-model.js';
import { type ResolvedTarget } from './resolved-target.js';
import { type TargetPlace } from './target-place.js';

/** What an endpoint gets when its target does not say. */
const ENDPOINT_DEFAULTS = { timeout_ms: 120_000, concurrency: 8 } as const;
/** Names that a "not found" lists, so that a misspelling shows. */
const NAMES_IN_HINT = 20;

/** Turns targets as written into frozen ones, by the registry of what workers publish. */
@Injectable()
export class TargetResolver {
  constructor(private readonly api: ApiDependencies) {}

  /**
   * @param at where it was written, for messages
   * @throws KilnError when it does not exist, is not served now, or is of a kind that is not served yet
   */
  resolve(projectId: string, spec: TargetSpec, at: TargetPlace): Promise<ResolvedTarget> {
    switch (spec.kind) {
      case 'model':
        return this.#model(projectId, spec, at);
      case 'endpoint':
        return this.#endpoint(spec, at);
      case 'agent':
      case 'workflow':
        throw new KilnError('target_not_served', `${at.kind}: targets of kind "${spec.kind}" are not served yet`, {
          path: at.kind,
          hint: 'Use kind "model" or "endpoint".',
        });
    }
  }

  async #model(projectId: string, spec: TargetSpecOf<'model'>, at: TargetPlace): Promise<ResolvedTarget> {
    const name = spec.model ?? (await this.#defaultModel(at.model));
    const model = await findModel(this.api.database, projectId, name);
    if (!model || model.workers === 0) throw await this.#unserved(name, model, at.model);
    const adapterName = spec.adapter ?? model.activeAdapter ?? '';
    const adapter = adapterName === '' ? null : await this.#adapter(model, adapterName, at.adapter);
    return {
      name: spec.name ?? (adapter === null ? model.name : `${model.name}+${adapter.name}`),
      frozen: {
        kind: 'model',
        engine: model.engine,
        model: model.name,
        adapter: adapter?.name ?? null,
        model_digest: model.modelDigest,
        adapter_digest: adapter?.digest ?? null,
        tokenizer_digest: model.tokenizerDigest,
        template_digest: model.templateDigest,
        pricing: spec.pricing ?? { kind: 'free' },
      },
      queue: model.queue,
      contextLength: model.contextLength,
    };
  }

  async #endpoint(spec: TargetSpecOf<'endpoint'>, at: TargetPlace): Promise<ResolvedTarget> {
    const { api_key_env: key } = spec;
    if (key !== undefined && !mayBeEndpointKey(key)) {
      const hint = 'Put the key into a variable whose name ends in KEY or TOKEN and is none of Kiln’s own or of a cloud’s account.';
      throw fieldRefusal(at.apiKeyEnv, `${key} may not be used as an endpoint’s key`, hint);
    }
    const pool = (await findServingPool(this.api.database)) ?? this.api.config().worker.pool;
    const frozen: FrozenEndpointTarget = {
      kind: 'endpoint',
      base_url: spec.base_url,
      model: spec.model,
      api_key_env: spec.api_key_env ?? null,
      revision: spec.revision ?? null,
      headers: spec.headers ?? {},
      timeout_ms: spec.timeout_ms ?? ENDPOINT_DEFAULTS.timeout_ms,
      concurrency: spec.concurrency ?? ENDPOINT_DEFAULTS.concurrency,
      pricing: spec.pricing,
    };
    return { name: spec.name ?? spec.model, frozen, queue: queueName(pool, ENDPOINT_IDENTITY), contextLength: null };
  }

  async #defaultModel(path: string): Promise<string> {
    const { default_model: configured } = this.api.config();
    const served = configured === null ? await servedModelNames(this.api.database, NAMES_IN_HINT) : [];
    const name = defaultModelName(configured, served);
    if (name !== null) return name;
    if (served.length === 0) throw noModels();
    throw new KilnError('model_not_found', `${path}: is not given, and there is no default model`, {
      path,
      hint: `${listNames(
        'Name one',
        served.map(({ name }) => name),
      )} Or set default_model in the server’s configuration.`,
    });
  }

  async #adapter(model: ServedModel, name: string, path: string): Promise<{ name: string; digest: string }> {
    const adapter = await findAdapter(this.api.database, model.id, name);
    if (adapter) return adapter;
    const known = await adapterNames(this.api.database, model.id, NAMES_IN_HINT);
    throw new KilnError('adapter_not_found', `${path}: the model "${model.name}" has no adapter ${JSON.stringify(name)}`, {
      path,
      hint: known.length === 0 ? 'It has none; send "" for the base model.' : `${listNames('It has', known)} Send "" for the base model.`,
    });
  }

  async #unserved(name: string, known: ServedModel | null, path: string): Promise<KilnError> {
    const served = await servedModelNames(this.api.database, NAMES_IN_HINT);
    if (known || served.length === 0) {
      if (!known) return noModels();
      return new KilnError('eval_registry_unavailable', `no worker serves the model "${name}" just now`, {
        path,
        hint: `It was last published at ${known.publishedAt.toISOString()}. Start a worker that has it, or wait for one that is starting.`,
      });
    }
    return new KilnError('model_not_found', `${path}: no model is named ${JSON.stringify(name)}`, {
      path,
      hint: listNames(
        'Served models',
        served.map((model) => model.name),
      ),
    });
  }
}

function noModels(): KilnError {
  return new KilnError('eval_registry_unavailable', 'no worker has published a model yet', {
    hint: 'Start a worker, or wait for one that is starting; GET /v1/models shows what is served.',
  });
}

function listNames(what: string, names: readonly string[]): string {
  return `${what}: ${names.join(', ')}${names.length === NAMES_IN_HINT ? ', …' : ''}.`;
}
