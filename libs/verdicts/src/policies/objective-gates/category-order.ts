/** The known categories in the order in which a scorecard shows them; an example without one is chat. Source: contracts §3.1. */
export const CATEGORIES = ['chat', 'skill_command', 'scheduled', 'tool_heavy'] as const;

/** The known categories first, others after them by name. */
export function inCategoryOrder<T extends { readonly category: string }>(rows: readonly T[]): T[] {
  const place = ({ category }: T): number => {
    const at = (CATEGORIES as readonly string[]).indexOf(category);
    return at < 0 ? CATEGORIES.length : at;
  };
  return rows.toSorted((a, b) => place(a) - place(b) || (a.category < b.category ? -1 : a.category > b.category ? 1 : 0));
}
