import { type JsonValue } from '@kiln/contracts';
import { UnresolvedError } from './expression/expression-errors.js';
import { jsonText } from './expression/json-text.js';
import { WorkBudget } from './expression/work-budget.js';

/** Text as it is, any other value as JSON with sorted keys (`true`, `[1,2]`); null when it is nested too deeply. */
export function plainText(value: JsonValue): string | null {
  if (typeof value === 'string') return value;
  try {
    return jsonText(value, new WorkBudget(Infinity));
  } catch (error) {
    if (error instanceof UnresolvedError) return null;
    throw error;
  }
}
