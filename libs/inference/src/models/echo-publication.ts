import { type ModelPublication } from '@kiln/contracts';
import { DOMAINS, domainHash } from '@kiln/provenance';
import { ECHO_VERSION } from '../echo/echo-generator.js';

/** The built-in echo, as a worker publishes it: its digests are those of its version, for it has no files. */
export function echoPublication(pool: string): ModelPublication {
  const digest = domainHash(DOMAINS.model, { builtin: ECHO_VERSION });
  return {
    model: 'echo',
    engine: 'echo',
    model_digest: digest,
    tokenizer_digest: digest,
    template_digest: digest,
    adapters: [],
    context_tokens: null,
    execution_provenance: { engine: ECHO_VERSION },
    pool,
  };
}
