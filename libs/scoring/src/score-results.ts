import { type JsonObject, type Score } from '@kiln/contracts';

type Detail = JsonObject | null;

/** The answer is right. */
export function passed(detail: Detail = null): Score {
  return { kind: 'pass', score: 1, detail };
}

/** The answer was read and is wrong; `score` in [0, 1] is its partial credit. */
export function failed(detail: Detail, score = 0): Score {
  return { kind: 'fail', score, detail };
}

/** The model answered, but not in a form that can be graded. Never a failure, so that parse misses stay visible. */
export function invalid(reason: string, detail: JsonObject = {}): Score {
  return { kind: 'invalid', score: 0, detail: { reason, ...detail } };
}

/** The suite is at fault (bad pattern, unreadable target), so the model was not measured. Registration refuses these. */
export function unscorable(reason: string, detail: JsonObject = {}): Score {
  return { kind: 'error', score: 0, detail: { reason, ...detail } };
}

/** Nothing was measured, because what the scorer compares with is not there: `missing_reference_key`, `missing_trace`. */
export function skipped(reason: string, detail: JsonObject = {}): Score {
  return { kind: 'skipped', score: 0, detail: { reason, ...detail } };
}
