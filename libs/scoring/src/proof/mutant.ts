import { type MutantDuty, type MutantKind } from '@kiln/contracts';
import { type AnsweredExample } from '../plain-answer.js';

/** An answer that is known to be right or wrong, and what the scorer owes it. */
export interface Mutant {
  readonly kind: MutantKind;
  readonly text: string;
  readonly duty: MutantDuty;
  /** Why either grade is right; null for the other duties. */
  readonly reason: string | null;
}

/** What a proof needs of an example. */
export interface ProvedExample extends AnsweredExample {
  readonly id: string;
}

/**
 * Makes the mutants of an example.
 *
 * @param other the target of another example; null when there is none
 * @returns null when the example has no right answer that the scorer compares with
 */
export type MutateExample = (example: ProvedExample, other: string | null) => Mutant[] | null;

export function mustPass(kind: MutantKind, text: string): Mutant {
  return { kind, text, duty: 'pass', reason: null };
}

export function mustNotPass(kind: MutantKind, text: string): Mutant {
  return { kind, text, duty: 'not_pass', reason: null };
}

export function mayPass(kind: MutantKind, text: string, reason: string): Mutant {
  return { kind, text, duty: 'either', reason };
}
