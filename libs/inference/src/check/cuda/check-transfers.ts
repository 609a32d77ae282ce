import { type Clock } from '../clock.js';
import { measureDecoding } from '../measure-decoding.js';
import { type ProbedModel } from '../../onnx/probe/probed-model.js';
import { type Finding } from './device-check.js';

/** More than any connection between a host and a GPU carries; what is slower on the way would show even more. */
const FASTEST_LINK = 64e9;
const STEPS = 8;

export interface TransferOptions {
  readonly rows: number;
  /** Tokens of each row. */
  readonly context: number;
  /** Columns of a narrow and of a wide slot; both hold the same tokens. */
  readonly widths: readonly [narrow: number, wide: number];
  readonly clock: Clock;
}

/**
 * That a step takes no longer in wide slots than in narrow ones, as it would if keys and values went to the host and back: whole slots are
 * bound, however few columns are used.
 */
export async function checkTransfers(model: ProbedModel, { rows, context, widths, clock }: TransferOptions): Promise<Finding> {
  const [narrow, wide] = [
    await measureDecoding(model, { rows, context, steps: STEPS, width: widths[0], clock }),
    await measureDecoding(model, { rows, context, steps: STEPS, width: widths[1], clock }),
  ];
  const columnBytes = model.layout.cache.reduce(
    (total, { heads, headSize, type }) => total + heads * headSize * (type === 'float16' ? 2 : 4),
    0,
  );
  const throughHost = (2 * rows * (widths[1] - widths[0]) * columnBytes) / FASTEST_LINK;
  const extra = wide - narrow;
  return {
    what: 'a step does not move keys and values to the host',
    holds: extra < throughHost / 2,
    seen: `${ms(extra)} longer with ${widths[1]} columns than with ${widths[0]}; the way to the host and back would take ${ms(throughHost)}`,
  };
}

function ms(seconds: number): string {
  return `${(seconds * 1000).toFixed(2)} ms`;
}
