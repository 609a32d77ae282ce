import { type z } from 'zod';
import { Config } from '../config/config.js';
import { ErrorBody } from '../errors/error-body.js';
import { CompareRequest } from '../jobs/compare-request.js';
import { Job } from '../jobs/job.js';
import { RunRequest } from '../jobs/run-request.js';
import { RunResponse } from '../jobs/run-response.js';
import { Message } from '../message.js';
import { Comparison } from '../results/comparison.js';
import { GateEvidence } from '../results/gate-evidence.js';
import { Metrics } from '../results/metrics.js';
import { RawOutcome } from '../results/raw-outcome.js';
import { ReducedOutcome } from '../results/reduced-outcome.js';
import { ThinkingBudgetRecord } from '../results/thinking-budget-record.js';
import { Verdict } from '../results/verdict.js';
import { Scorer } from '../scorer/scorer.js';
import { Aggregation } from '../suites/aggregation.js';
import { Example } from '../suites/example.js';
import { Generation } from '../suites/generation.js';
import { Suite, SuiteHeader } from '../suites/suite.js';
import { TargetSpec } from '../targets/target-spec.js';
import { type Direction, type JsonSchema, toJsonSchema } from './json-schema.js';

const written: Record<string, z.ZodType> = {
  suite: Suite,
  suite_header: SuiteHeader,
  example: Example,
  message: Message,
  scorer: Scorer,
  generation: Generation,
  aggregation: Aggregation,
  target: TargetSpec,
  run_request: RunRequest,
  compare_request: CompareRequest,
  config: Config,
};

const answered: Record<string, z.ZodType> = {
  run_response: RunResponse,
  job: Job,
  raw_outcome: RawOutcome,
  reduced_outcome: ReducedOutcome,
  thinking_budget: ThinkingBudgetRecord,
  metrics: Metrics,
  comparison: Comparison,
  gate_evidence: GateEvidence,
  verdict: Verdict,
  error: ErrorBody,
};

/** Self-contained JSON Schemas (2020-12) by name: files and requests as they may be written, results as they are answered. */
export function jsonSchemas(): Record<string, JsonSchema> {
  return { ...schemasOf(written, 'input'), ...schemasOf(answered, 'output') };
}

function schemasOf(named: Record<string, z.ZodType>, direction: Direction): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, toJsonSchema(schema, direction)]));
}
