import { type Config, type Generation } from '@kiln/contracts';
import { type SuiteVersion } from '@kiln/database';
import { checkRunOverride } from '@kiln/suites';
import { fieldRefusal } from '../http/field-refusal.js';
import { type ResolvedTarget } from './resolved-target.js';

/** What a request asks for, as far as it can contradict itself or the limits. */
export interface Submission {
  suite: SuiteVersion;
  k: number;
  targets: readonly ResolvedTarget[];
  generation: Generation | undefined;
  gate: unknown;
  tokenCap: number | undefined;
}

/** @throws KilnError `eval_invalid_request` that names the field, when a submission cannot be run as it is */
export function checkSubmission(submission: Submission, limits: Config['eval']): void {
  const { suite, k, targets, generation, gate, tokenCap } = submission;
  if (generation) checkRunOverride(suite.header, generation);
  checkNames(targets);
  if (gate !== undefined && targets.length < 2) {
    throw fieldRefusal('gate', 'there is no candidate beside the baseline', 'List at least two targets, or leave the gate out.');
  }
  const unpriced = targets.find(({ frozen }) => frozen.pricing.kind === 'unknown');
  if (unpriced && tokenCap === undefined) {
    throw fieldRefusal(
      'token_cap',
      `is needed, because the price of the target "${unpriced.name}" is unknown`,
      'Set token_cap, or state the pricing of the target.',
    );
  }
  const samples = suite.exampleCount * k * targets.length;
  if (samples > limits.max_job_samples) {
    throw fieldRefusal(
      'suite',
      `${suite.exampleCount} examples × ${k} completions × ${targets.length} targets are ${samples} samples; the limit is ${limits.max_job_samples}`,
      'Split the suite or compare fewer targets, or raise eval.max_job_samples in the server’s configuration.',
    );
  }
}

function checkNames(targets: readonly ResolvedTarget[]): void {
  for (const [index, { name }] of targets.entries()) {
    const first = targets.findIndex((other) => other.name === name);
    if (first === index) continue;
    throw fieldRefusal(
      `targets[${index}]`,
      `is named "${name}", as targets[${first}] is`,
      'Give each target its own name; equal targets may be compared under different names.',
    );
  }
}
