import { type Decimal } from './decimal.js';

/**
 * One number as it stands in a text.
 *
 * `claim` says what the text claims with it: `exact`; `approximate` ("~42"), which counts only where the suite states a
 * tolerance; `bound` ("<42"), which is not an answer.
 */
export interface NumberToken {
  readonly kind: 'number';
  readonly value: Decimal;
  readonly text: string;
  readonly claim: 'exact' | 'approximate' | 'bound';
}

/**
 * Something that is made of digits and is not one number: 192.168.1.10, 1_000, 10², ½, 1e999. It must not be skipped:
 * an earlier number would be graded in its place.
 */
export interface UnreadableNumber {
  readonly kind: 'unreadable';
  readonly text: string;
}

export type NumberReading = NumberToken | UnreadableNumber;
