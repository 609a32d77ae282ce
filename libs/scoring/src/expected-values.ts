import { type JsonObject, type JsonValue, type Score } from '@kiln/contracts';
import { refuseRoundedNumbers } from './refuse-rounded-numbers.js';
import { rightAnswers } from './right-answers.js';
import { skipped, unscorable } from './score-results.js';
import { type ScorerCheck } from './scorer-definition.js';
import { acceptExample, requireTargetOrAlias } from './scorer-refusal.js';
import { type ScoringInput } from './scoring-input.js';

/** What an answer may equal, or the score of one that has nothing to be compared with. */
export type ExpectedValues =
  /** The values from index `aliasesFrom` on are the example's aliases. */
  | { readonly ok: true; readonly values: readonly JsonValue[]; readonly aliasesFrom: number }
  | { readonly ok: false; readonly score: Score };

/** A value written in the scorer, else one of the example's reference, else the example's target and its aliases. */
export function compileExpectedValues(written: JsonValue, referenceKey: string | null): (input: ScoringInput) => ExpectedValues {
  if (written !== null) {
    const expected: ExpectedValues = { ok: true, values: [written], aliasesFrom: 1 };
    return () => expected;
  }
  if (referenceKey !== null) {
    return ({ reference }) => {
      const value = referenceValue(reference, referenceKey);
      return value === null ? { ok: false, score: skipped('missing_reference_key') } : { ok: true, values: [value], aliasesFrom: 1 };
    };
  }
  return (example) => {
    const values = rightAnswers(example);
    if (values.length === 0) return { ok: false, score: unscorable('target_missing') };
    return { ok: true, values, aliasesFrom: example.target === null ? 0 : 1 };
  };
}

/** Own members only; null when it is missing or null. */
export function referenceValue(reference: JsonObject | null, key: string): JsonValue {
  return reference !== null && Object.hasOwn(reference, key) ? (reference[key] ?? null) : null;
}

/** Registration's check that an answer has something to be compared with. */
export function checkExpectedValues(kind: string, written: JsonValue, referenceKey: string | null): ScorerCheck {
  if (written !== null) return acceptExample;
  return referenceKey === null ? requireTargetOrAlias(kind) : checkReferenceValue(referenceKey);
}

/** Registration's check that a value of the reference is what was written. */
export function checkReferenceValue(key: string): ScorerCheck {
  const hint = 'Write it as text, such as "9007199254740993": an answer\'s number is compared by its digits.';
  return ({ reference }, at) => refuseRoundedNumbers(referenceValue(reference, key), `${at}.reference.${key}`, hint);
}
