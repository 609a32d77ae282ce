import { type ObjectiveMetrics } from '@kiln/contracts';
import { type GateSide } from '../gate-side.js';
import { attemptedCalls, type SideTotals } from './side-totals.js';

const NANO = 1e9;

type Measured = Omit<ObjectiveMetrics, 'run_index' | 'adapter'>;

/** The means and rates of one side (contracts §3.2). Nothing to divide by gives 0; a sum with an unknown cost is unknown. */
export function measuredObjectives(totals: SideTotals): Measured {
  const { ok_samples, error_samples, tasks, tool_calls, wrapup_count } = totals;
  const attempted = attemptedCalls(tool_calls);
  return {
    ok_samples,
    error_samples,
    tasks,
    tool_calls,
    rejected_rate: attempted === 0 ? 0 : tool_calls.rejected / attempted,
    mean_rounds: perOne(totals.rounds, ok_samples),
    mean_cost_per_task_usd: totals.unpriced > 0 ? null : perOne(Number(totals.cost_nano), tasks) / NANO,
    mean_latency_ms: perOne(totals.latency_ms, ok_samples),
    wrapup_count,
  };
}

export function objectiveMetrics({ run_index, adapter }: GateSide, totals: SideTotals): ObjectiveMetrics {
  return { run_index, adapter, ...measuredObjectives(totals) };
}

function perOne(sum: number, count: number): number {
  return count === 0 ? 0 : sum / count;
}
