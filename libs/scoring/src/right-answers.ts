interface Answered {
  readonly target: string | null;
  readonly aliases: readonly string[];
}

/** The target, when there is one, and the aliases. */
export function rightAnswers({ target, aliases }: Answered): readonly string[] {
  return target === null ? aliases : [target, ...aliases];
}

/** The same; null when there are none. */
export function findRightAnswers(example: Answered): readonly [string, ...string[]] | null {
  const [first, ...rest] = rightAnswers(example);
  return first === undefined ? null : [first, ...rest];
}
