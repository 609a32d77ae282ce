/** How often a judge said the same of one answer. */
export interface Agreement {
  reps: number;
  /** Repetitions that passed the answer. */
  passes: number;
  /** Share of repetitions outside the majority, 0 to 0.5: the judge's own noise. */
  disagreement: number;
}

export function measureDisagreement(votes: readonly boolean[]): Agreement {
  const passes = votes.filter(Boolean).length;
  const reps = votes.length;
  return { reps, passes, disagreement: reps === 0 ? 0 : Math.min(passes, reps - passes) / reps };
}
