/** Why a judge's reply is no judgment. */
export type UnreadableReason =
  /** The judge's output ended inside its reasoning. */
  | 'unfinished_reasoning'
  | 'no_judgment'
  /** A judgment that is not one of those asked for: "GRADE: Z", "score: nan", "score: 1/10". */
  | 'bad_judgment'
  /** Two judgments that say different things. */
  | 'conflicting_judgments'
  | 'reply_too_long'
  /** The claims were not restated one by one in the order in which they were given. */
  | 'claims_not_restated';

/** What a judge's reply was read as. */
export type Reading<V> =
  | { readonly kind: 'judgment'; readonly judgment: V }
  | { readonly kind: 'unreadable'; readonly reason: UnreadableReason };

export function unreadable(reason: UnreadableReason): { readonly kind: 'unreadable'; readonly reason: UnreadableReason } {
  return { kind: 'unreadable', reason };
}

/** What is wrong with a reply, as the judge is told when it is asked again. */
export const CORRECTIONS: Readonly<Record<UnreadableReason, string>> = {
  unfinished_reasoning: 'it ended before a verdict. Be brief',
  no_judgment: 'it held no verdict in the form that is asked for',
  bad_judgment: 'its verdict is not one of those that are asked for',
  conflicting_judgments: 'it held several verdicts that differ',
  reply_too_long: 'it was too long. Be brief',
  claims_not_restated: 'it did not restate every claim, word for word and in the given order',
};
