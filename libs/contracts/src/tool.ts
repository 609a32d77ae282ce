import { z } from 'zod';
import { JsonObject } from './scalars/json-value.js';

/** Whether `entry` has a non-empty `function.name` (OpenAI shape) or `name` (bare shape). */
export function namesFunction(entry: JsonObject): boolean {
  const inner = entry['function'];
  const nested = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner['name'] : undefined;
  return [nested, entry['name']].some((name) => typeof name === 'string' && name.trim() !== '');
}

/** One entry of a tool catalogue, handed to the chat template as it is. */
export const Tool = JsonObject.refine(namesFunction, 'must have a non-empty "function.name" or "name"').meta({
  id: 'Tool',
  type: 'object',
  description: 'An OpenAI-shaped tool ({"type":"function","function":{"name":…}}) or a bare one ({"name":…}).',
});
export type Tool = z.infer<typeof Tool>;
