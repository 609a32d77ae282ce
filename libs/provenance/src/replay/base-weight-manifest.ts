import { type BaseWeightManifest, type FrozenModelTarget, type WeightShard } from '@kiln/contracts';
import { DOMAINS, domainHash } from '../domain-hash.js';

/**
 * The manifest of a base model: which files its weights are.
 *
 * @param shards as the worker published them; null when it did not
 */
export function baseWeightManifest(target: FrozenModelTarget, shards: readonly WeightShard[] | null): BaseWeightManifest {
  const { engine, model, model_digest, tokenizer_digest, template_digest } = target;
  return {
    type: 'kiln.base-weight-shards.v1',
    schema_version: 1,
    engine,
    model,
    model_digest,
    tokenizer_digest,
    template_digest,
    shards: shards && shards.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** @returns `sha256:…` under domain kiln.base-weight-shards.v1 */
export function baseWeightManifestHash(manifest: BaseWeightManifest): string {
  return domainHash(DOMAINS.baseWeightShards, manifest);
}
