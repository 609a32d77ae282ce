import { type ProbeMeasurements, type StepMeasurement } from './probe-measurements.js';

/** What follows from the measurements for how a model is run. Part of the execution provenance: it is the same in each run on a machine. */
export interface ProbeVerdict {
  /** Fewest rows of a step. */
  readonly minRows: number;
  /** Most rows of a step; null = as many as were measured. */
  readonly maxRows: number | null;
  /** Fewest rows of a step with an adapter; null = no adapter can be fed. */
  readonly adapterMinRows: number | null;
  /** How a prompt is cut into chunks matters, so that it is cut the same way each time. */
  readonly exactPrefill: boolean;
  /**
   * Why answers of this model would not be its own, or not be repeatable. Empty for a model that can be served. That logits are not numbers
   * is not among them: it is seen, and said, in each answer.
   */
  readonly flaws: readonly string[];
}

/** @throws RangeError without any step */
export function probeVerdict(measured: ProbeMeasurements): ProbeVerdict {
  const base = rowBounds(measured.steps);
  const adapter = measured.adapter === null ? null : rowBounds(measured.adapter.steps);
  const single = measured.neighbours === false || [base, adapter].some((bounds) => bounds?.maxRows === 1);
  return {
    minRows: single ? 1 : base.minRows,
    maxRows: single ? 1 : null,
    adapterMinRows: adapter === null ? null : single ? 1 : Math.max(base.minRows, adapter.minRows),
    exactPrefill: measured.chunks !== true,
    flaws: flawsOf(measured),
  };
}

/** The fewest rows from which on all numbers of rows that were measured give the same bits, wherever the row stands. */
function rowBounds(steps: readonly StepMeasurement[]): { minRows: number; maxRows: 1 | null } {
  const most = steps.at(-1);
  if (most === undefined) throw new RangeError('no step was measured');
  // Its place decides: then a row is only itself when it is alone.
  if (most.first !== most.last) return { minRows: 1, maxRows: 1 };
  const isLikeMost = ({ first, last }: StepMeasurement) => first === most.first && last === most.first;
  const lastUnlike = steps.findLastIndex((step) => !isLikeMost(step));
  return { minRows: steps[lastUnlike + 1]!.rows, maxRows: null };
}

function flawsOf({ repeated, padding, width, adapter }: ProbeMeasurements): string[] {
  const flaws: [isFlaw: boolean, flaw: string][] = [
    [!repeated, 'the same run twice gives different logits'],
    [!padding, 'what lies behind a row changes its logits: padding is not hidden by the mask'],
    [width === false, 'the width of the slots changes the logits'],
    [adapter?.rankZero === false, 'an adapter of rank 0 changes the logits'],
  ];
  return flaws.flatMap(([isFlaw, flaw]) => (isFlaw ? [flaw] : []));
}
