/** What decides about the number of rows of a step; see `DecodeRules`. */
export interface StepBounds {
  readonly minRows: number;
  readonly maxRows: number;
  readonly stepSizes: readonly number[] | null;
}

/** Most are powers of two; where few rows are computed in another way than many, it is below four. */
const SIZES = [1, 2, 3, 4, 8, 16, 32, 64, 128];

/** The numbers of rows that a probe measures. Where kernels depend on the number of rows, a step has one of these. */
export function stepSizes(maxRows: number): number[] {
  return [...SIZES.filter((size) => size < maxRows), maxRows];
}

/** Fewest rows of a step in which some want `wanted` rows at least: within the rules, and a number of rows that a step may have. */
export function leastRows(wanted: number, { minRows, maxRows, stepSizes: sizes }: StepBounds): number {
  return stepRows(0, Math.min(Math.max(minRows, wanted), maxRows), sizes);
}

/** Rows of a step, idle ones among them. @param least that it must have. */
export function stepRows(live: number, least: number, sizes: StepBounds['stepSizes']): number {
  const wanted = Math.max(live, least);
  return sizes?.find((size) => size >= wanted) ?? wanted;
}

/** The most rows that can be live on so many slots. */
export function mostRows(slots: number, { maxRows, stepSizes: sizes }: Pick<StepBounds, 'maxRows' | 'stepSizes'>): number {
  const most = Math.min(slots, maxRows);
  return sizes?.findLast((size) => size <= most) ?? most;
}
