import { type ExactJson } from './json/exact-json.js';
import { jsonText } from './json/json-text.js';
import { TooDeepError } from './json/too-deep-error.js';

/** Text as it is, any other value as JSON with sorted keys (`true`, `[1,2]`); null when it is nested too deeply. */
export function plainText(value: ExactJson): string | null {
  if (typeof value === 'string') return value;
  try {
    return jsonText(value);
  } catch (error) {
    if (error instanceof TooDeepError) return null;
    throw error;
  }
}
