import {
  type BaseWeightManifest,
  type ExecutionProvenanceRecord,
  type FrozenTarget,
  type ReplayCompletionLine,
  type ReplayRecordHeader,
  type ReplaySettingsLine,
} from '@kiln/contracts';
import { targetHash } from '../target-hash.js';
import { baseWeightManifestHash } from './base-weight-manifest.js';
import { executionProvenanceHash } from './execution-provenance-record.js';
import { LineHasher } from './line-hasher.js';
import { RawCompletionSet } from './raw-completion-set.js';
import { replayRecordHash } from './verify-replay-record.js';

/** What a record says of a run besides its lines. */
export interface ReplayFacts extends Pick<
  ReplayRecordHeader,
  | 'suite'
  | 'selection'
  | 'aggregation'
  | 'completions_per_example'
  | 'generation_override'
  | 'effective_seed'
  | 'target'
  | 'suite_sha256'
  | 'effective_generation_sha256'
> {
  /** In any order, perhaps more than once. */
  judges: readonly FrozenTarget[];
  /** Null when there was not exactly one. */
  execution: ExecutionProvenanceRecord | null;
  /** Null for an endpoint. */
  weights: BaseWeightManifest | null;
  /** Why it cannot be replayed; empty when it can. */
  flaws: readonly string[];
}

/** Takes the lines of a record in order and makes its header. Memory does not grow with the run. */
export class ReplayRecorder {
  readonly #settings = new LineHasher();
  readonly #completions = new RawCompletionSet();

  /** Once per example, in suite order. */
  addSettings(line: ReplaySettingsLine): void {
    this.#settings.add(line);
  }

  /** Once per completion, in suite order, then by index. */
  addCompletion(line: ReplayCompletionLine): void {
    this.#completions.add(line);
  }

  /** The header, complete with its own hash. Can be called once. */
  finish(facts: ReplayFacts): ReplayRecordHeader {
    const { judges, execution, weights, flaws, target, ...inputs } = facts;
    const completions = this.#completions.finish();
    const local = target.kind === 'model' ? target : null;
    const header: Omit<ReplayRecordHeader, 'record_sha256'> = {
      type: 'kiln.eval-replay.v1',
      schema_version: 1,
      ...inputs,
      seed_derivation: 'kiln.eval-seed.v1',
      target,
      model_target: { adapter: local?.adapter ?? null, adapter_content_sha256: local?.adapter_digest ?? null },
      judge_targets: judgeTargets(judges),
      settings: this.#settings.finish(),
      raw_completions: completions.lines,
      raw_completion_set_sha256: completions.sha256,
      execution_provenance: execution,
      execution_provenance_sha256: execution && executionProvenanceHash(execution),
      base_weight_manifest: weights,
      base_weight_manifest_sha256: weights && baseWeightManifestHash(weights),
      strict: flaws.length === 0,
      not_strict_because: [...flaws],
    };
    return { ...header, record_sha256: replayRecordHash(header) };
  }
}

function judgeTargets(judges: readonly FrozenTarget[]): ReplayRecordHeader['judge_targets'] {
  const byHash = new Map(judges.map((target) => [targetHash(target), target]));
  return [...byHash].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([target_sha256, target]) => ({ target_sha256, target }));
}
