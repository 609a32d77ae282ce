import { type FrozenModelTarget } from '@kiln/contracts';
import { type ScannedModel } from './scan-models.js';

/** The target that admission would freeze for a model that was found. @param name of an adapter that it has; null = the model as it is. */
export function publicationTarget(scanned: ScannedModel, name: string | null): FrozenModelTarget {
  const { model, engine, model_digest, tokenizer_digest, template_digest, adapters } = scanned;
  const adapter_digest = adapters.find(({ adapter }) => adapter === name)?.adapter_digest ?? null;
  const digests = { model_digest, adapter_digest, tokenizer_digest, template_digest };
  return { kind: 'model', engine, model, adapter: name, ...digests, pricing: { kind: 'free' } };
}
