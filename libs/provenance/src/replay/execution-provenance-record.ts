import { type ExecutionProvenanceRecord, type JsonObject } from '@kiln/contracts';
import { DOMAINS, domainHash } from '../domain-hash.js';

/**
 * Facts of an execution on which the tokens do not depend. Threads: an ONNX runtime step splits its rows among them and adds up
 * within a row in the same order whatever their number; a test replays with other ones. Backend: both ways to the runtime give it
 * the same to compute; a test compares their logits.
 */
export const INCIDENTAL_FACTS: ReadonlySet<string> = new Set(['threads', 'backend']);

/** What a generator says of itself, parted into what a replay needs again and what it does not. */
export function executionProvenanceRecord(provenance: JsonObject): ExecutionProvenanceRecord {
  const facts = Object.entries(provenance);
  return {
    type: 'kiln.execution-provenance.v1',
    schema_version: 1,
    pinned: Object.fromEntries(facts.filter(([name]) => !INCIDENTAL_FACTS.has(name))),
    incidental: Object.fromEntries(facts.filter(([name]) => INCIDENTAL_FACTS.has(name))),
  };
}

/**
 * The identity of an execution as far as tokens depend on it: the incidental facts are left out.
 *
 * @returns `sha256:…` under domain kiln.execution-provenance.v1
 */
export function executionProvenanceHash({ type, schema_version, pinned }: ExecutionProvenanceRecord): string {
  return domainHash(DOMAINS.executionProvenance, { type, schema_version, pinned });
}
