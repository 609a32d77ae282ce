import { type ReplayRecordHeader } from '@kiln/contracts';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  baseWeightManifest,
  completionLine,
  executionProvenanceHash,
  executionProvenanceRecord,
  lineText,
  ReplayRecorder,
  settingsLine,
  verifyReplayRecord,
} from '../index.js';

/*
 * A second implementation of contracts.md §1.11, written from its text and sharing no code with the first: compact JSON with sorted
 * keys by hand, and SHA-256 over domain, NUL, length and JSON.
 */
function compact(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(compact).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${compact(member)}`).join(',')}}`;
}

function contractHash(domain: string, value: unknown): string {
  const json = Buffer.from(compact(value));
  const length = Buffer.alloc(8);
  for (let at = 0, rest = json.length; at < 8; at += 1, rest = Math.floor(rest / 256)) length[at] = rest % 256;
  return `sha256:${createHash('sha256')
    .update(Buffer.concat([Buffer.from(`${domain}\0`), length, json]))
    .digest('hex')}`;
}

const shaOf = (content: string | Buffer): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;
const DIGEST = shaOf('some file');

const TARGET = {
  kind: 'model',
  engine: 'onnx',
  model: 'tiny',
  adapter: 'v2',
  model_digest: DIGEST,
  adapter_digest: shaOf('adapter'),
  tokenizer_digest: DIGEST,
  template_digest: DIGEST,
  pricing: { kind: 'free' },
} as const;

const EXECUTION = { engine: 'kiln.onnx.v1', onnxruntime: '1.30.0', cpu: 'some CPU', threads: 4 };
const COMPLETIONS = [
  {
    outcomeIndex: 0,
    exampleId: 'añb',
    completionIndex: 0,
    seed: 13689969014190318026n,
    raw: Buffer.from('<think>x</think>7'),
    normalized: '7',
    timeUpAt: 3,
  },
  // Half of a character: the raw bytes are no text, and their scoring form holds U+FFFD.
  {
    outcomeIndex: 1,
    exampleId: 'b',
    completionIndex: 0,
    seed: 7n,
    raw: Buffer.from([0x61, 0xe2, 0x82]),
    normalized: 'a\uFFFD',
    timeUpAt: null,
  },
];

const BUDGET = { configured: true, max_tokens: 8, tokens_source: 'suite', time_source: 'unlimited' } as const;

function settings(example_id: string) {
  return settingsLine(example_id, BUDGET, { kind: 'exact_match', config_sha256: DIGEST, requires_judge: false, judge_adapter: null });
}

function record(change: { execution?: object; completions?: typeof COMPLETIONS } = {}): ReplayRecordHeader {
  const recorder = new ReplayRecorder();
  for (const completion of change.completions ?? COMPLETIONS) {
    recorder.addSettings(settings(completion.exampleId));
    recorder.addCompletion(completionLine(completion));
  }
  const shards = [
    { path: 'onnx/model.onnx_data', bytes: 9, sha256: DIGEST },
    { path: 'onnx/model.onnx', bytes: 5, sha256: DIGEST },
  ];
  return recorder.finish({
    suite: { name: 's', header: { name: 's', description: 'ünïcode' } as never, num_examples: 2 },
    selection: null,
    aggregation: { kind: 'single' },
    completions_per_example: 1,
    generation_override: null,
    effective_seed: '18446744073709551615',
    target: TARGET,
    suite_sha256: DIGEST,
    effective_generation_sha256: DIGEST,
    judges: [],
    execution: executionProvenanceRecord({ ...EXECUTION, ...change.execution } as never),
    weights: baseWeightManifest(TARGET, shards),
    flaws: [],
  });
}

describe('a replay record', () => {
  it('lists completions by pointer, seed and digests of both forms', () => {
    expect(COMPLETIONS.map(completionLine)).toEqual([
      {
        type: 'raw_completion',
        outcome_index: 0,
        example_id: 'añb',
        completion_index: 0,
        generation_seed: '13689969014190318026',
        raw_completion_pointer: '/outcomes/0/raw_completion_text',
        raw_sha256: shaOf('<think>x</think>7'),
        raw_bytes: 17,
        normalized_sha256: shaOf('7'),
        normalized_bytes: 1,
        thinking_time_up_at: 3,
      },
      expect.objectContaining({
        raw_completion_pointer: '/outcomes/1/raw_completion_text',
        raw_sha256: shaOf(Buffer.from([0x61, 0xe2, 0x82])),
        raw_bytes: 3,
        normalized_sha256: shaOf(Buffer.from([0x61, 0xef, 0xbf, 0xbd])),
        normalized_bytes: 4,
      }),
    ]);
  });

  it('has lines that are canonical as they are made', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, fc.uint8Array(), text, fc.option(fc.nat(), { nil: undefined }), text, (id, raw, normalized, limit, adapter) => {
        const completion = completionLine({
          outcomeIndex: 3,
          exampleId: id,
          completionIndex: 1,
          seed: 2n ** 64n - 1n,
          raw,
          normalized,
          timeUpAt: null,
        });
        const budget = { ...BUDGET, ...(limit === undefined ? {} : { max_time_ms: limit }) };
        const scorer = { kind: 'llm_judge' as const, config_sha256: DIGEST, requires_judge: true, judge_adapter: adapter };
        for (const line of [completion, settingsLine(id, budget, scorer)]) expect(lineText(line)).toBe(`${compact(line)}\n`);
      }),
    );
  });

  it('hashes as a second implementation of the contract does', () => {
    const { record_sha256, ...header } = record();
    const lines = COMPLETIONS.map((completion) => `${compact(completionLine(completion))}\n`).join('');
    const settingsLines = COMPLETIONS.map(({ exampleId }) => `${compact(settings(exampleId))}\n`).join('');
    expect(header.settings).toEqual({ count: 2, sha256: shaOf(settingsLines) });
    expect(header.raw_completions).toEqual({ count: 2, sha256: shaOf(lines) });
    expect(header.raw_completion_set_sha256).toBe(contractHash('kiln.eval-raw-completion-set.v1', header.raw_completions));
    const { threads: _, ...pinned } = EXECUTION;
    const execution = { type: 'kiln.execution-provenance.v1', schema_version: 1, pinned };
    expect(header.execution_provenance_sha256).toBe(contractHash('kiln.execution-provenance.v1', execution));
    expect(header.base_weight_manifest_sha256).toBe(contractHash('kiln.base-weight-shards.v1', header.base_weight_manifest));
    expect(record_sha256).toBe(contractHash('kiln.eval-replay-record.v1', header));
  });

  it('keeps its bytes from version to version', () => {
    // The first was computed in Python from the contract's text; the second is the second implementation's. Another value is another format.
    expect(record()).toMatchObject({
      raw_completion_set_sha256: 'sha256:a19bf088d15bcd105662be1673d2058828f8d9d15e4538879143267dbed3946f',
      record_sha256: 'sha256:e20670ebeb05c72678d127a109de69aa30b1bfdef71c56f10dc273ed50acb3be',
    });
  });

  it('is strict with both names of an adapter or none, and lists weight files by path', () => {
    const header = record();
    expect(header).toMatchObject({ strict: true, model_target: { adapter: 'v2', adapter_content_sha256: TARGET.adapter_digest } });
    expect(header.base_weight_manifest!.shards!.map(({ path }) => path)).toEqual(['onnx/model.onnx', 'onnx/model.onnx_data']);
  });

  it('does not depend on the number of threads, and depends on everything else that executed it', () => {
    const hash = (execution: object) => executionProvenanceHash(executionProvenanceRecord({ ...EXECUTION, ...execution } as never));
    expect(hash({ threads: 1 })).toBe(hash({}));
    for (const change of [{ onnxruntime: '1.30.1' }, { cpu: 'another' }, { engine: 'kiln.onnx.v2' }, { more: null }]) {
      expect(hash(change), JSON.stringify(change)).not.toBe(hash({}));
    }
  });

  it('shows which of its hashes does not follow from its content', () => {
    const header = record();
    expect(verifyReplayRecord(header)).toBeNull();
    const damaged: [Partial<ReplayRecordHeader>, string][] = [
      [{ raw_completions: { ...header.raw_completions, count: 3 } }, 'raw_completion_set_sha256'],
      [{ execution_provenance: executionProvenanceRecord({ ...EXECUTION, cpu: 'another' }) }, 'execution_provenance_sha256'],
      [{ base_weight_manifest: { ...header.base_weight_manifest!, model: 'other' } }, 'base_weight_manifest_sha256'],
      [{ effective_seed: '1' }, 'record_sha256'],
      [{ settings: { ...header.settings, count: 1 } }, 'record_sha256'],
      [{ record_sha256: DIGEST }, 'record_sha256'],
    ];
    for (const [change, field] of damaged) expect(verifyReplayRecord({ ...header, ...change }), JSON.stringify(change)).toBe(field);
  });

  it('is another one when a byte of a completion is', () => {
    const [first, second] = COMPLETIONS;
    const changed = record({ completions: [first!, { ...second!, raw: Buffer.from([0x61, 0xe2, 0x83]) }] });
    expect(changed.raw_completion_set_sha256).not.toBe(record().raw_completion_set_sha256);
    expect(changed.record_sha256).not.toBe(record().record_sha256);
  });
});
