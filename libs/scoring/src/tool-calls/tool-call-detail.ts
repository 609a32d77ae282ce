import { type JsonObject } from '@kiln/contracts';
import { excerpt } from '../excerpt.js';
import { type CallsScore } from './compare-calls.js';
import { type SchemaFaults } from './schema-faults.js';
import { type ToolCall, type ToolCallReading } from './tool-call.js';

/** Metrics pair names by position: more than so many calls are rare, and hostile. */
const MAX_NAMES = 32;
const MAX_CALLS = 8;
const MAX_KEYS = 8;

/**
 * What is stored of how calls were read and graded. Metrics read `target`, `called`, `format`, `missing_required` and
 * `extra_unknown` of it; what is nothing (no fault, not repaired) is left out.
 */
export function toolCallDetail(
  target: readonly ToolCall[],
  reading: ToolCallReading,
  faults: SchemaFaults,
  scored?: CallsScore,
): JsonObject {
  const formats = new Set(reading.calls.map(({ format }) => format));
  const shapes = new Set(reading.calls.map(({ shape }) => shape));
  return {
    target: names(target),
    called: names(reading.calls),
    // Native XML is what `require_xml_format` wants, so one other call makes the whole other.
    ...(formats.size > 0 && { format: [...formats].find((format) => format !== 'qwen3_xml') ?? 'qwen3_xml' }),
    ...(shapes.size > 0 && { shape: [...shapes].join('+') }),
    ...(reading.calls.some(({ repaired }) => repaired) && { repaired: true }),
    ...(reading.incomplete > 0 && { incomplete: reading.incomplete }),
    ...(faults.missingRequired > 0 && { missing_required: faults.missingRequired }),
    ...(faults.extraUnknown > 0 && { extra_unknown: faults.extraUnknown }),
    ...(scored && { calls: scored.calls.slice(0, MAX_CALLS).map(callDetail) }),
  };
}

function callDetail({ name, structure, content, missing, extra }: CallsScore['calls'][number]): JsonObject {
  return {
    name,
    structure: rounded(structure),
    content: rounded(content),
    ...(missing.length > 0 && { missing: missing.slice(0, MAX_KEYS).map(excerpt) }),
    ...(extra.length > 0 && { extra: extra.slice(0, MAX_KEYS).map(excerpt) }),
  };
}

function names(calls: readonly ToolCall[]): string[] {
  return calls.slice(0, MAX_NAMES).map(({ name }) => excerpt(name));
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
