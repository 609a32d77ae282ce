import { type Clock } from './clock.js';
import { type GraphWeights } from './graph-weights.js';
import { type MachineLimits } from './machine-limits.js';
import { measureDecoding } from './measure-decoding.js';
import { type SpeedCheck } from './model-check.js';
import { type ProbedModel } from '../onnx/probe/probed-model.js';
import { stepLimit } from './step-limit.js';

export interface SpeedOptions {
  readonly weights: GraphWeights;
  readonly limits: MachineLimits;
  /** Rows of a step, each of which is measured. */
  readonly rows: readonly number[];
  /** Tokens of each row before the first step. */
  readonly context: number;
  readonly clock: Clock;
}

const STEPS = 8;

/** Tokens that a row may have besides its context while it is measured. */
export const SPEED_MARGIN = STEPS + 1;

/** How fast a model decodes, beside the most that the machine could do. */
export async function measureSpeed(
  model: ProbedModel,
  { weights, limits, context, clock, ...options }: SpeedOptions,
): Promise<SpeedCheck[]> {
  const speed: SpeedCheck[] = [];
  for (const rows of options.rows) {
    const seconds = await measureDecoding(model, { rows, context, steps: STEPS, clock });
    const limit = stepLimit(weights, model.layout, { rows, context }, limits);
    speed.push({ rows, context, tokensPerS: rows / seconds, limitTokensPerS: rows / limit.seconds, bound: limit.bound });
  }
  return speed;
}
