import { type ReplayRecordHeader } from '@kiln/contracts';
import { DOMAINS, domainHash } from '../domain-hash.js';
import { baseWeightManifestHash } from './base-weight-manifest.js';
import { executionProvenanceHash } from './execution-provenance-record.js';

/** @returns `sha256:…` of a header without its own hash, under domain kiln.eval-replay-record.v1 */
export function replayRecordHash(header: Omit<ReplayRecordHeader, 'record_sha256'>): string {
  return domainHash(DOMAINS.replayRecord, header);
}

/** The first hash in a stored header that does not follow from the header itself, by the name of its field; null when all do. */
export function verifyReplayRecord({ record_sha256: recorded, ...header }: ReplayRecordHeader): string | null {
  const { raw_completions: set, execution_provenance: execution, base_weight_manifest: weights } = header;
  if (header.raw_completion_set_sha256 !== domainHash(DOMAINS.rawCompletionSet, set)) return 'raw_completion_set_sha256';
  if (header.execution_provenance_sha256 !== (execution && executionProvenanceHash(execution))) return 'execution_provenance_sha256';
  if (header.base_weight_manifest_sha256 !== (weights && baseWeightManifestHash(weights))) return 'base_weight_manifest_sha256';
  return recorded === replayRecordHash(header) ? null : 'record_sha256';
}
