import { type PageOutcome } from '@kiln/database';

/** What metrics know of the tools that an answer called. */
export interface ToolFacts {
  /** Names of the target's calls, in order. */
  readonly target: readonly string[];
  /** Names of the answer's calls, in order. */
  readonly called: readonly string[];
  readonly faults: {
    readonly non_xml: boolean;
    readonly missing_required: boolean;
    readonly extra_unknown: boolean;
  };
}

/**
 * Reads the detail of a `tool_call` score. Null for a row of another scorer, and for one that was not scored; what a detail does
 * not say counts as nothing, so that scores of older versions can be read.
 */
export function toolFacts({ toolCallDetail: detail }: PageOutcome): ToolFacts | null {
  if (detail === null) return null;
  return {
    target: names(detail['target']),
    called: names(detail['called']),
    faults: {
      non_xml: typeof detail['format'] === 'string' && detail['format'] !== 'qwen3_xml',
      missing_required: detail['missing_required'] !== undefined,
      extra_unknown: detail['extra_unknown'] !== undefined,
    },
  };
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
