const LEAST_WIDTH = 64;

/**
 * Columns of a slot for a sample that needs `tokens` for prompt and answer: a power of two, but never beyond the context. It depends on the
 * sample alone, because where holes are masked the width decides how sums are rounded.
 */
export function slotWidth(tokens: number, contextTokens: number | null): number {
  let width = LEAST_WIDTH;
  while (width < tokens) width *= 2;
  return Math.max(tokens, Math.min(width, contextTokens ?? Infinity));
}

/**
 * The width for samples that may share slots wider than they need: the widest that leaves room for all who wait, so that a giant does not
 * take the rows of many, and at least what the oldest needs.
 * @param widths of those who wait, the oldest first.
 * @param most slots that are of use at a time.
 * @param slotsAt how many slots there are of a width; falls as it grows.
 */
export function sharedWidth(widths: readonly number[], most: number, slotsAt: (width: number) => number): number {
  const wanted = Math.min(most, widths.length);
  const roomy = widths.filter((width) => slotsAt(width) >= wanted);
  return Math.max(widths[0]!, ...roomy);
}
