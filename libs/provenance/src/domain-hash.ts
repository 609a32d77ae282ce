import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';

/** What each hash of the product is about: all of them. A digest under one domain can never equal one under another. */
export const DOMAINS = {
  suite: 'kiln.eval-suite.v1',
  effectiveGeneration: 'kiln.eval-effective-generation.v1',
  scorer: 'kiln.eval-scorer.v1',
  example: 'kiln.eval-example.v1',
  target: 'kiln.eval-target.v1',
  comparedRows: 'kiln.eval-compared-rows.v1',
  verdictInput: 'kiln.verdict-input.v1',
  caseSet: 'kiln.case-set.v1',
  model: 'kiln.model.v1',
  tokenizer: 'kiln.tokenizer.v1',
  chatTemplate: 'kiln.chat-template.v1',
  adapter: 'kiln.adapter.v1',
  modelIdentity: 'kiln.model-identity.v1',
  executionProvenance: 'kiln.execution-provenance.v1',
  requestBody: 'kiln.request-body.v1',
  traceReuse: 'kiln.trace-reuse.v1',
  baseWeightShards: 'kiln.base-weight-shards.v1',
  rawCompletionSet: 'kiln.eval-raw-completion-set.v1',
  replayRecord: 'kiln.eval-replay-record.v1',
} as const;

/**
 * Domain-separated hash of a JSON value:
 *
 *   "sha256:" + hex SHA-256( domain ‖ 0x00 ‖ u64 LE byte length of json ‖ json ),  json = RFC 8785 text in UTF-8
 *
 * @param domain printable ASCII such as `kiln.eval-suite.v1`, without the NUL.
 * @throws TypeError for a value that JSON cannot hold, RangeError for a domain with other characters.
 * Source: contracts §1.11, with the keys sorted (§6, note 7).
 */
export function domainHash(domain: string, value: unknown): string {
  if (!/^[\x21-\x7e]+$/.test(domain)) throw new RangeError(`a hash domain is printable ASCII, got ${JSON.stringify(domain)}`);
  const json = Buffer.from(canonicalJson(value), 'utf8');
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  const digest = createHash('sha256').update(domain, 'ascii').update('\0').update(length).update(json).digest('hex');
  return `sha256:${digest}`;
}
