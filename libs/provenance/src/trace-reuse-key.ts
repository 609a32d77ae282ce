import { type Generation, type Message, type Tool } from '@kiln/contracts';
import { DOMAINS, domainHash } from './domain-hash.js';

/** Everything that the tokens of a sample depend on. */
export interface TraceOrigin {
  /** Traces are never shared between projects. */
  readonly projectId: string;
  /** The prompt as it is sent, with the catalogue of tools. */
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[] | null;
  /** `targetHash`: weights, adapter, tokenizer and template, or an endpoint with its declared revision. */
  readonly targetHash: string;
  /** Digest of the execution provenance: runtime, versions, device, options. */
  readonly provenanceDigest: string;
  readonly generation: Generation;
  /** The derived seed: u64 as a decimal string. */
  readonly seed: string;
  readonly completionIndex: number;
}

/**
 * The key under which a trace may stand for a sample of another job: equal keys mean the same tokens.
 *
 * @returns 32 bytes
 */
export function traceReuseKey(origin: TraceOrigin): Buffer {
  return Buffer.from(domainHash(DOMAINS.traceReuse, origin).slice('sha256:'.length), 'hex');
}
