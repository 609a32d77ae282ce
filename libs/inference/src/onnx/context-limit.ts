import { type DecoderLayout } from './decoder-layout.js';
import { type ModelDirectory } from './model-directory.js';

/** Most tokens of prompt and answer together: as configured, but never beyond the graph's rotary table; null = unlimited. */
export function contextLimit({ contextTokens }: ModelDirectory, { rotaryPositions }: DecoderLayout): number | null {
  const limits = [contextTokens, rotaryPositions].filter((limit) => limit !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}
